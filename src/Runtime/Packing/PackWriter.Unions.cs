namespace BlitQueue;

/// <content>Unions: a tag, and the message that it stands for.</content>
public ref partial struct PackWriter
{
    /// <summary>Begins a union's message. The case's message follows as a variable, then <see cref="EndMessage"/>.</summary>
    /// <param name="tag">The case's tag, 0 to 65535.</param>
    /// <exception cref="PackException">More than 64 messages inside each other; a union and its case are two.</exception>
    public void BeginUnion(int tag)
        => BeginMessage(MessageFormat.UnionFixedLength, MessageFormat.UnionVariableCount).Write(0, checked((ushort)tag));
}
