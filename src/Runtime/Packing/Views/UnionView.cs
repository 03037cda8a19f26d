namespace BlitQueue.Views;

/// <summary>A packed union: a tag, and the case's message. The generated views of unions use it.</summary>
public readonly ref struct UnionView
{
    private readonly MessageView _message;

    /// <summary>Views a union that is a variable of a message.</summary>
    /// <param name="variable">The variable; of null, a null view is made.</param>
    /// <exception cref="PackException">The content is no union's, or more than 64 messages are inside each other.</exception>
    public UnionView(VariableView variable)
        : this(new MessageView(variable))
    {
    }

    private UnionView(MessageView message)
    {
        _message = message;
        Tag = -1;
        if (message.IsNull)
        {
            return;
        }

        if (message.FixedLength != MessageFormat.UnionFixedLength || message.VariableCount != MessageFormat.UnionVariableCount)
        {
            ViewSource.Throw(message.Source, PackException.NoUnion(message.Start, message.FixedLength, message.VariableCount));
        }

        Tag = message.Read<ushort>(0);
    }

    /// <summary>There is no message.</summary>
    public bool IsNull => _message.IsNull;

    /// <summary>The case's tag, 0 to 65535, listed or not; -1 for null. It is read once.</summary>
    public int Tag { get; }

    /// <summary>Views a root message.</summary>
    /// <typeparam name="T">The union.</typeparam>
    /// <param name="packed">Bytes that begin with a packed union; what follows it is left alone.</param>
    /// <returns>The view.</returns>
    /// <exception cref="PackException">No union begins here, or only the null mark.</exception>
    public static UnionView Of<T>(ReadOnlySpan<byte> packed)
        where T : IPackable<T> => new(MessageView.Of<T>(packed));

    /// <summary>Views the message if it is of one case.</summary>
    /// <param name="tag">The case's tag.</param>
    /// <param name="view">The case's view; of null where the message is of another case.</param>
    /// <returns>Whether it is of that case.</returns>
    /// <exception cref="PackException">The bytes cannot be what the view reads.</exception>
    public bool TryGet<TView>(int tag, out TView view)
        where TView : IPackView<TView>, allows ref struct
    {
        bool isCase = Tag == tag;
        view = TView.Of(isCase ? _message.Variable(0) : default);
        return isCase;
    }

    /// <inheritdoc cref="MessageView.ToObject{T}"/>
    public T? ToObject<T>()
        where T : IPackable<T> => _message.ToObject<T>();

    /// <inheritdoc cref="MessageView.CopyTo{T}"/>
    public void CopyTo<T>(ref T? target)
        where T : IPackable<T> => _message.CopyTo(ref target);
}
