namespace BlitQueue;

/// <summary>When a call that was given a time gives up waiting.</summary>
internal readonly struct Deadline
{
    private const long NoEnd = long.MaxValue;

    private readonly long _end;

    private Deadline(long end) => _end = end;

    /// <param name="timeout">From now on; <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    /// <exception cref="ArgumentOutOfRangeException">Negative, and not infinite.</exception>
    public Deadline(TimeSpan timeout)
    {
        if (Allowed(timeout) == Timeout.InfiniteTimeSpan)
        {
            _end = NoEnd;
            return;
        }
        double end = Stopwatch.GetTimestamp() + (timeout.TotalSeconds * Stopwatch.Frequency);
        _end = end < NoEnd ? (long)end : NoEnd;
    }

    /// <summary>For a call that waits for as long as it takes.</summary>
    public static Deadline Never => new(NoEnd);

    /// <summary>The time for a timer. A timer counts at most 49 days, so a longer time becomes an infinite one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, and not infinite.</exception>
    public static TimeSpan ForTimer(TimeSpan timeout) =>
        Allowed(timeout).TotalMilliseconds < uint.MaxValue ? timeout : Timeout.InfiniteTimeSpan;

    /// <summary>Whether the time is over.</summary>
    public bool IsOver => _end != NoEnd && Stopwatch.GetTimestamp() >= _end;

    /// <summary>What is left of it; zero where it is over.</summary>
    public TimeSpan Left => _end == NoEnd ? TimeSpan.MaxValue
        : Stopwatch.GetTimestamp() is var now && now >= _end ? TimeSpan.Zero : Stopwatch.GetElapsedTime(now, _end);

    private static TimeSpan Allowed(TimeSpan timeout)
    {
        if (timeout != Timeout.InfiniteTimeSpan)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(timeout, TimeSpan.Zero);
        }
        return timeout;
    }
}
