namespace BlitQueue;

/// <summary>Counts and tells that calls of one handle were refused because of a process that is stopped inside of an append.</summary>
internal sealed class StallReport(object sender)
{
    // Callers that try again and again meet the same stall each time.
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);

    private readonly Lock _sync = new();
    private long _count, _told;

    /// <summary>Raised on the thread pool, at most once in ten seconds.</summary>
    public event EventHandler<QueueStalledException>? Met;

    /// <summary>How many calls were refused.</summary>
    public long Count
    {
        get
        {
            lock (_sync)
            {
                return _count;
            }
        }
    }

    /// <summary>A call is about to be refused. Called inside of the gate or outside.</summary>
    public void Note(QueueStalledException stall)
    {
        if (!CountAndAsk() || Met is null)
        {
            return;
        }
        foreach (EventHandler<QueueStalledException> handler in Delegate.EnumerateInvocationList(Met))
        {
            // An exception of a handler becomes an unobserved exception of a task.
            _ = Task.Run(() => handler(sender, stall));
        }
    }

    // Returns whether it is to be told.
    private bool CountAndAsk()
    {
        lock (_sync)
        {
            _count++;
            bool isToBeTold = _told == 0 || Stopwatch.GetElapsedTime(_told) >= Pause;
            _told = isToBeTold ? Stopwatch.GetTimestamp() : _told;
            return isToBeTold;
        }
    }
}
