namespace BlitQueue.Reliability.Power;

/// <summary>A durable transaction.</summary>
/// <param name="Began">The last event before its commit.</param>
/// <param name="Sent">What it sends: queue and number.</param>
/// <param name="Received">What it consumes: queue, subscription, number.</param>
internal sealed record TransactionEntry(int Began, (string Queue, long Number)[] Sent, (string Queue, string Subscription, long Number)[] Received)
{
    /// <summary>The event by which its commit had returned.</summary>
    public int Ended { get; set; } = int.MaxValue;
}
