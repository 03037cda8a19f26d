namespace BlitQueue.Checker;

/// <summary>All that became of one message in one subscription.</summary>
internal sealed class Fate
{
    public bool Acknowledged { get; set; }

    /// <summary>The call that enqueued it.</summary>
    public Times Enqueue { get; set; }

    public int Dequeues { get; set; }

    /// <summary>The last call that dequeued it.</summary>
    public Times Dequeue { get; set; }

    public List<(string Worker, int Attempt, Times Times)> Leases { get; } = [];

    public List<int> Commits { get; } = [];

    public List<int> Abandons { get; } = [];

    /// <summary>Leases that had ended when their holders were to end them.</summary>
    public List<(string Worker, int Attempt, Times Times)> Ends { get; } = [];

    /// <summary>Who set it aside was told that it is.</summary>
    public bool IsBuried { get; set; }

    /// <summary>How often it was found among the dead letters.</summary>
    public int Letters { get; set; }

    public bool IsDelivered => Letters > 0 || Dequeues > 0 || Leases.Count > 0;

    public bool IsConsumed => Letters > 0 || Dequeues > 0 || Commits.Count > 0;

    /// <summary>Who takes and consumes in one step is not told the attempt; nothing comes behind it.</summary>
    public int LastAttempt => Dequeues > 0 ? int.MaxValue : Leases.Select(static lease => lease.Attempt).DefaultIfEmpty().Max();

    /// <summary>The delivery behind an attempt.</summary>
    public Times After(int attempt) =>
        Leases.Where(lease => lease.Attempt > attempt).OrderBy(static lease => lease.Attempt).Select(static lease => lease.Times)
            .FirstOrDefault(Dequeue);
}
