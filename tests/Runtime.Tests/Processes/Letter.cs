namespace BlitQueue.Tests.Processes;

/// <summary>Another message type than the one that the tests' queues hold: it shares one member's name, with another kind.</summary>
[QueueMessage]
internal sealed partial class Letter
{
    public int Number { get; set; }

    public string? Text { get; set; }
}
