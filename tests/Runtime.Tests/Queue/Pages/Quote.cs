namespace BlitQueue.Tests.Queue.Pages;

/// <summary>The message of docs/producing.md.</summary>
[QueueMessage]
internal sealed partial class Quote
{
    public long Instrument { get; set; }
    public double Price { get; set; }
}
