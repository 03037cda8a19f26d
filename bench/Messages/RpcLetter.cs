namespace BlitQueue.Bench.Messages;

/// <summary>A request or a reply of any length.</summary>
[QueueMessage]
public sealed partial class RpcLetter
{
    /// <summary>Its bytes.</summary>
    public byte[] Body { get; set; } = [];
}
