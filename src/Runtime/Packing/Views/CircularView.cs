namespace BlitQueue.Views;

/// <summary>
/// A packed message with identity, or the number of one that is elsewhere in the bytes. The generated views of messages with
/// <see cref="PackLayout.CircularReference"/> use it.
/// </summary>
/// <remarks>
/// The bytes contain each object once. Where it occurs again they have only its number, and reading a member there is a
/// <see cref="PackException"/>. <see cref="ToObject"/> gives the object in both cases, for the price of unpacking the root message.
/// </remarks>
public readonly ref struct CircularView
{
    private readonly MessageView _message;
    private readonly int _number;

    /// <summary>Views a message that is a variable of another.</summary>
    /// <param name="variable">The variable; null becomes a null view.</param>
    /// <exception cref="PackException">The content is no message, or more than 64 messages are inside each other.</exception>
    public CircularView(VariableView variable)
        : this(new MessageView(variable))
    {
    }

    private CircularView(MessageView message)
    {
        _message = message;
        _number = -1;
        IsReference = message.VariableCount == MessageFormat.RepeatVariableCount;
        if (IsReference)
        {
            _number = NumberIn(message);
        }
    }

    /// <summary>There is no message: every member is its type's default.</summary>
    public bool IsNull => _message.IsNull;

    /// <summary>The bytes have the number of an object that is elsewhere.</summary>
    public bool IsReference { get; }

    /// <summary>
    /// That number: how many objects with identity begin in front of the object within the root message; -1 if the object itself is here.
    /// </summary>
    public int ReferenceNumber => IsReference ? _number : -1;

    private MessageView Message
    {
        get
        {
            if (IsReference)
            {
                ViewSource.Throw(_message.Source, PackException.NoMemberOfRepeated(_message.Start, _number));
            }

            return _message;
        }
    }

    /// <summary>Views a root message.</summary>
    /// <typeparam name="T">The message.</typeparam>
    /// <param name="packed">Bytes that begin with a packed message; bytes behind it are ignored.</param>
    /// <returns>The view.</returns>
    /// <exception cref="PackException">No message begins here, or only the null mark.</exception>
    public static CircularView Of<T>(ReadOnlySpan<byte> packed)
        where T : IPackable<T> => new(MessageView.Of<T>(packed));

    /// <inheritdoc cref="MessageView.Read{V}"/>
    public V Read<V>(int offset)
        where V : unmanaged => Message.Read<V>(offset);

    /// <inheritdoc cref="MessageView.ReadNullable{V}"/>
    public V? ReadNullable<V>(int offset)
        where V : unmanaged => Message.ReadNullable<V>(offset);

    /// <inheritdoc cref="MessageView.Variable{TView}(int)"/>
    public TView Variable<TView>(int index)
        where TView : IPackView<TView>, allows ref struct => Message.Variable<TView>(index);

    /// <inheritdoc cref="MessageView.Variable(int)"/>
    public VariableView Variable(int index) => Message.Variable(index);

    /// <inheritdoc cref="MessageView.ToObject{T}"/>
    public T? ToObject<T>()
        where T : IPackable<T> => _message.ToObject<T>();

    /// <inheritdoc cref="MessageView.CopyTo{T}"/>
    public void CopyTo<T>(ref T? target)
        where T : IPackable<T> => _message.CopyTo(ref target);

    private static int NumberIn(MessageView message)
    {
        if (message.FixedLength != MessageFormat.RepeatFixedLength)
        {
            ViewSource.Throw(
                message.Source, PackException.Header(message.Start, MessageFormat.Header(message.FixedLength, message.VariableCount)));
        }

        // Each object in front of it has at least a header.
        uint number = message.Read<uint>(0);
        if (number >= (uint)message.Start / MessageFormat.HeaderSize)
        {
            ViewSource.Throw(message.Source, PackException.NoObject(message.Start, number));
        }

        return (int)number;
    }
}
