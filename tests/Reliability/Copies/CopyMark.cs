namespace BlitQueue.Reliability.Copies;

/// <summary>How far the threads were when copying began, and when it was over. Messages are numbered from 1.</summary>
/// <param name="Acknowledged">The last message that had been enqueued when copying began.</param>
/// <param name="Consumed">The last that had been consumed when copying began, by each of the two subscriptions.</param>
/// <param name="MayBeConsumed">The last that may have been when it was over.</param>
/// <param name="IsDurable">Whether what is acknowledged is on the disk.</param>
internal sealed record CopyMark(long Acknowledged, long[] Consumed, long[] MayBeConsumed, bool IsDurable)
{
    public override string ToString() => $"acknowledged {Acknowledged}, consumed {string.Join('/', Consumed)} to {string.Join('/', MayBeConsumed)}";
}
