namespace BlitQueue.Views;

/// <summary>A packed version-tolerant message, read member by member in place. The generated views of such messages use it.</summary>
/// <remarks>A member is found by its number; members with lower numbers are skipped. A missing member is its type's default.</remarks>
public readonly ref struct TolerantView
{
    private readonly MessageView _message;

    /// <summary>Views a message that is a variable of another.</summary>
    /// <param name="variable">The variable; of null, a null view is made.</param>
    /// <exception cref="PackException">
    /// The content is no version-tolerant message, or more than 64 messages are inside each other.
    /// </exception>
    public TolerantView(VariableView variable)
        : this(new MessageView(variable))
    {
    }

    private TolerantView(MessageView message)
    {
        _message = message;
        if (message.FixedLength != 0)
        {
            ViewSource.Throw(message.Source, PackException.NotTolerant(message.Start, message.FixedLength));
        }
    }

    /// <summary>There is no message: every member is its type's default.</summary>
    public bool IsNull => _message.IsNull;

    /// <summary>Views a root message.</summary>
    /// <typeparam name="T">The message.</typeparam>
    /// <param name="packed">Bytes that begin with a packed message; what follows it is left alone.</param>
    /// <returns>The view.</returns>
    /// <exception cref="PackException">No version-tolerant message begins here, or only the null mark.</exception>
    public static TolerantView Of<T>(ReadOnlySpan<byte> packed)
        where T : IPackable<T> => new(MessageView.Of<T>(packed));

    /// <summary>Reads a member of a fixed-size kind.</summary>
    /// <param name="number">The member's number.</param>
    /// <returns>A valid value of its type; the default when the writer did not know the member.</returns>
    /// <exception cref="PackException">The variable has another size or is null, or the bytes are no valid value.</exception>
    public V Read<V>(int number)
        where V : unmanaged
    {
        if (!TryFind(number, out VariableIterator walk))
        {
            return default;
        }

        VariableView field = walk.Next();
        if (field.IsNull)
        {
            ViewSource.Throw(
                _message.Source, PackException.FieldSize(walk.Position - MessageFormat.HeaderSize, typeof(V), MessageFormat.Null));
        }

        return Read<V>(field);
    }

    /// <summary>Reads a member of a fixed-size kind, or null.</summary>
    /// <param name="number">The member's number.</param>
    /// <returns>The value; null also when the writer did not know the member.</returns>
    /// <exception cref="PackException">The variable has another size, or the bytes are no valid value.</exception>
    public V? ReadNullable<V>(int number)
        where V : unmanaged
        => Variable(number) is { IsNull: false } field ? Read<V>(field) : null;

    /// <summary>Views a member of variable size.</summary>
    /// <param name="number">The member's number.</param>
    /// <returns>The view; of null also when the writer did not know the member.</returns>
    /// <exception cref="PackException">A variable is not wholly here, or cannot be what the view reads.</exception>
    public TView Variable<TView>(int number)
        where TView : IPackView<TView>, allows ref struct => TView.Of(Variable(number));

    /// <summary>Finds a variable.</summary>
    /// <param name="number">The member's number.</param>
    /// <returns>The variable; null also when the writer did not know it.</returns>
    /// <exception cref="PackException">A variable up to this one is not wholly here.</exception>
    public VariableView Variable(int number) => TryFind(number, out VariableIterator walk) ? walk.Next() : default;

    /// <inheritdoc cref="MessageView.ToObject{T}"/>
    public T? ToObject<T>()
        where T : IPackable<T> => _message.ToObject<T>();

    /// <inheritdoc cref="MessageView.CopyTo{T}"/>
    public void CopyTo<T>(ref T? target)
        where T : IPackable<T> => _message.CopyTo(ref target);

    // False if the writer did not know the member; otherwise the iterator is in front of its variable.
    private bool TryFind(int number, out VariableIterator walk)
    {
        walk = _message.Variables();
        if ((uint)number >= (uint)_message.VariableCount)
        {
            return false;
        }

        while (number-- > 0)
        {
            walk.SkipField();
        }

        return !walk.TrySkipHole();
    }

    private static V Read<V>(VariableView field)
        where V : unmanaged
    {
        if (field.Length != FixedFormat.Size<V>())
        {
            ViewSource.Throw(field.Source, PackException.FieldSize(field.Start - MessageFormat.HeaderSize, typeof(V), (uint)field.Length));
        }

        return field.Source.Read<V>(field.Start);
    }
}
