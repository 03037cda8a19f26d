namespace BlitQueue.Bench.Messages;

/// <summary>One text.</summary>
[QueueMessage]
internal sealed partial class Letter
{
    public string? Text { get; set; }
}
