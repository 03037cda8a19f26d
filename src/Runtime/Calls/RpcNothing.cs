namespace BlitQueue.Generated;

/// <summary>The request of a method that takes no message, and the reply of one that returns none.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct RpcNothing : IPackable<RpcNothing>
{
    /// <inheritdoc/>
    public static MessageSchema Schema { get; } = new("RpcNothing", []);

    /// <inheritdoc/>
    public static void Pack(ref PackWriter writer, scoped in RpcNothing value)
    {
        writer.BeginMessage(fixedLength: 0, variableCount: 0);
        writer.EndMessage();
    }

    /// <inheritdoc/>
    public static void Unpack(ref PackReader reader, scoped ref RpcNothing value)
    {
        if (reader.BeginMessage(out FixedBlockReader block))
        {
            reader.EndMessage(in block, readVariables: 0);
        }
    }
}
