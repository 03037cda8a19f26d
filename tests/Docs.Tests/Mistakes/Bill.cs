namespace BlitQueue.Docs.Mistakes;

/// <summary>Another message, for queues that are opened with the wrong one.</summary>
[QueueMessage]
public sealed partial class Bill
{
    public string? Id { get; set; }

    public decimal Total { get; set; }
}
