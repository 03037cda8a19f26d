using BlitQueue.Generated;
namespace BlitQueue;

/// <content>Unions; and objects with identity: each is in the bytes once within a root message, and as its number afterwards.</content>
public ref partial struct PackReader
{
    /// <summary>Begins the message of an object with identity, or finds the object that is repeated here.</summary>
    /// <param name="block">The message's fixed block, and the count of its variables.</param>
    /// <param name="value"> The instance to fill, if any. It becomes null if it is already another object of this message and so cannot be
    /// filled again. If the method returns false: the object, or null for the null mark.
    /// </param>
    /// <returns>True when the message is to be read now, after <see cref="AddObject"/>.</returns>
    /// <exception cref="PackException">
    /// The message cannot be here, or the number is none of an object of type <typeparamref name="T"/>.
    /// </exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool BeginObject<T>(out FixedBlockReader block, scoped ref T? value)
        where T : class
    {
        int start = _position;
        if (!BeginMessage(out block))
        {
            value = null;
            return false;
        }

        if (block.VariableCount == MessageFormat.RepeatVariableCount)
        {
            value = Repeated<T>(start, in block);
            _depth--;
            return false;
        }

        if (_objects is not null)
        {
            Choose(start, ref value);
        }

        return true;
    }

    /// <summary>Gives the next number to the object whose message is about to be read.</summary>
    /// <param name="instance">The instance that is filled.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void AddObject(object instance) => (_objects ??= new ObjectTable()).Add(instance);

    // A part that is read again fills the objects that the first reading made.
    private readonly void Choose<T>(int start, scoped ref T? value)
        where T : class
    {
        _objects!.Begin(start);
        if (_objects.Expected is T expected && expected.GetType() == typeof(T))
        {
            value = expected;
        }
        else if (value is not null && _objects.TryGetNumber(value, out _))
        {
            value = null;
        }
    }

    private readonly T Repeated<T>(int start, scoped in FixedBlockReader block)
        where T : class
    {
        if (block.FixedLength != MessageFormat.RepeatFixedLength)
        {
            PackException.ThrowHeader(start, MessageFormat.Header(block.FixedLength, block.VariableCount));
        }

        uint number = block.Read<uint>(0);
        if (number >= (_objects?.Count ?? 0) || _objects![(int)number] is not T repeated)
        {
            PackException.ThrowNoObject(start, number, typeof(T));
            return null;
        }

        return repeated;
    }

    /// <summary>Begins a union's message. The case's message follows as a variable, then <see cref="EndUnion"/>.</summary>
    /// <param name="tag">The case's tag, 0 to 65535.</param>
    /// <returns>False for the null mark; the message is not open then.</returns>
    /// <exception cref="PackException">The message is no union's, or more than 64 messages are inside each other.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool BeginUnion(out int tag)
    {
        tag = 0;
        int start = _position;
        if (!BeginMessage(out FixedBlockReader block))
        {
            return false;
        }

        if (block.FixedLength != MessageFormat.UnionFixedLength || block.VariableCount != MessageFormat.UnionVariableCount)
        {
            PackException.ThrowNoUnion(start, block.FixedLength, block.VariableCount);
        }

        tag = block.Read<ushort>(0);
        return true;
    }

    /// <summary>Ends the union's message begun last, behind its case.</summary>
    /// <exception cref="InvalidOperationException">No message is open.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void EndUnion()
    {
        if (_depth <= 0)
        {
            ThrowNothingOpen();
        }

        if (--_depth == 0 && _objects is not null)
        {
            _objects.Clear();
        }
    }
}
