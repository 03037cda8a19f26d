namespace BlitQueue.Tests.Queue.Pages;

/// <summary>The message of docs/express.md.</summary>
[QueueMessage]
internal sealed partial class Tick
{
    public double Price { get; set; }
}
