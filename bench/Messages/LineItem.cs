namespace BlitQueue.Bench.Messages;

/// <summary>One line of an <see cref="Order"/>.</summary>
[QueueMessage]
internal sealed partial class LineItem
{
    public string? Sku { get; set; }

    public int Count { get; set; }

    public double Price { get; set; }
}
