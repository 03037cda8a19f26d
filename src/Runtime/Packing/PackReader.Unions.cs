namespace BlitQueue;

/// <content>Unions: a tag, and the message that it stands for.</content>
public ref partial struct PackReader
{
    /// <summary>Begins a union's message. The case's message follows as a variable, then <see cref="EndUnion"/>.</summary>
    /// <param name="tag">The case's tag, 0 to 65535.</param>
    /// <returns>False for the null mark; the message is not open then.</returns>
    /// <exception cref="PackException">The message is no union's, or more than 64 messages are inside each other.</exception>
    public bool BeginUnion(out int tag)
    {
        tag = 0;
        var start = _position;
        if (!BeginMessage(out var block))
            return false;

        if (block.FixedLength != MessageFormat.UnionFixedLength || block.VariableCount != MessageFormat.UnionVariableCount)
            PackException.ThrowNoUnion(start, block.FixedLength, block.VariableCount);
        tag = block.Read<ushort>(0);
        return true;
    }

    /// <summary>Ends the union's message begun last, behind its case.</summary>
    /// <exception cref="InvalidOperationException">No message is open.</exception>
    public void EndUnion()
    {
        if (_depth <= 0)
            ThrowNothingOpen();
        if (--_depth == 0 && _objects is not null)
            _objects.Clear();
    }
}
