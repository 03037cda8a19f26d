namespace BlitQueue.Bench.Messages;

/// <summary>An order and what it costs.</summary>
[QueueMessage]
internal sealed partial class Invoice
{
    public Order? Order { get; set; }

    public decimal Total { get; set; }
}
