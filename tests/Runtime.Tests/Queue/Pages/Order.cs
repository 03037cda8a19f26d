namespace BlitQueue.Tests.Queue.Pages;

/// <summary>The message of the pages.</summary>
[QueueMessage]
internal sealed partial class Order
{
    public long Id { get; set; }

    public decimal Total { get; set; }
}
