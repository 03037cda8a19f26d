namespace BlitQueue.Docs.Mistakes;

/// <summary>The message of the mistakes.</summary>
[QueueMessage]
public sealed partial class Order
{
    public long Id { get; set; }

    public string? Customer { get; set; }
}
