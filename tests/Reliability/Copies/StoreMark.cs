namespace BlitQueue.Reliability.Copies;

/// <summary>How far the threads of a store were when copying began, and when it was over. Messages are numbered from 1.</summary>
/// <param name="Acknowledged">The last that was in the first and in the third queue when copying began.</param>
/// <param name="Taken">The last that was taken from each queue when copying began.</param>
/// <param name="MayBeTaken">The last that may have been when it was over.</param>
internal sealed record StoreMark(long Acknowledged, long[] Taken, long[] MayBeTaken)
{
    /// <summary>The queues, by their numbers: enqueued into, moved to, and enqueued into beside the first.</summary>
    public const int In = 0, Out = 1, Audit = 2;

    public static readonly string[] Queues = ["in", "out", "audit"];

    /// <summary>The last that was in the queue when copying began.</summary>
    public long LastOf(int queue) => queue == Out ? Taken[In] : Acknowledged;

    public override string ToString()
        => $"acknowledged {Acknowledged}, taken {string.Join('/', Taken)} to {string.Join('/', MayBeTaken)}";
}
