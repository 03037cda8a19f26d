namespace BlitQueue;

/// <content>Unions; and objects with identity: each is written once within a root message, and by its number afterwards.</content>
public ref partial struct PackWriter
{
    /// <summary>Numbers an object that is about to be written as a message, or writes the number that it has.</summary>
    /// <param name="instance">An object of a type with <see cref="PackLayout.CircularReference"/>.</param>
    /// <returns>False when the object is in the bytes already: nothing more is to be written of it.</returns>
    /// <exception cref="PackException">More than 64 messages inside each other.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool BeginObject(object instance)
    {
        ObjectTable objects = (_reserve ??= WriterReserve.Rent()).Objects;
        if (objects.TryGetNumber(instance, out int number))
        {
            BeginMessage(MessageFormat.RepeatFixedLength, MessageFormat.RepeatVariableCount).Write(0, (uint)number);
            EndMessage();
            return false;
        }

        objects.Add(instance);
        return true;
    }

    /// <summary>Begins a union's message. The case's message follows as a variable, then <see cref="EndMessage"/>.</summary>
    /// <param name="tag">The case's tag, 0 to 65535.</param>
    /// <exception cref="PackException">More than 64 messages inside each other; a union and its case are two.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void BeginUnion(int tag)
        => BeginMessage(MessageFormat.UnionFixedLength, MessageFormat.UnionVariableCount).Write(0, checked((ushort)tag));
}
