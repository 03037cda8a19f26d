using System.Diagnostics;

namespace BlitQueue.Segments;

/// <summary>How long a call waits for others.</summary>
/// <param name="Stall">How long the same holder of the turn may stand still until the system is asked whether its process runs.</param>
/// <param name="Until">When the wait ends though others get on, by <see cref="Stopwatch"/>.</param>
internal readonly record struct WaitLimit(TimeSpan Stall, long Until = long.MaxValue)
{
    // The look at a process takes some milliseconds: all in all it stays below 50.
    private static readonly TimeSpan ShortStall = TimeSpan.FromMilliseconds(35), ShortWait = TimeSpan.FromMilliseconds(40);

    /// <summary>No wait: a moment's spinning and a look.</summary>
    public static WaitLimit None => new(TimeSpan.MaxValue, Until: 0);

    /// <summary>Until those who append one by one have had their turns: for a call that comes back to try again.</summary>
    public static WaitLimit Moment => AtMost(TimeSpan.FromMilliseconds(2));

    /// <summary>From now on, for a call that does not wait: one limit for all that it does.</summary>
    public static WaitLimit Short => AtMost(ShortWait) with { Stall = ShortStall };

    /// <summary>So long from now on, whatever others do or do not do.</summary>
    public static WaitLimit AtMost(TimeSpan wait) =>
        new(TimeSpan.MaxValue, Stopwatch.GetTimestamp() + (long)(wait.TotalSeconds * Stopwatch.Frequency));

    /// <summary>Whether the wait ends though others get on.</summary>
    public bool IsBounded => Until != long.MaxValue;

    public bool IsOver => IsBounded && Stopwatch.GetTimestamp() >= Until;

    /// <summary>What is left of a bounded wait.</summary>
    public TimeSpan Left =>
        TimeSpan.FromTicks(Math.Max(0, Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), Until).Ticks));
}
