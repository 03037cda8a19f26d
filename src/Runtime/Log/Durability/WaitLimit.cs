using System.Diagnostics;

namespace BlitQueue.Log;

/// <summary>How long a call waits for others.</summary>
/// <param name="Stall">
/// How long the same holder of the append lock may stand still until the system is asked whether its process runs.
/// </param>
/// <param name="Until">When the wait for the append lock ends though others get on, by <see cref="Stopwatch"/>.</param>
/// <param name="ForRoom">Whether the call also waits until others have made room, in the queue or on the disk.</param>
/// <param name="Token">Ends the waits with <see cref="OperationCanceledException"/>.</param>
internal readonly record struct WaitLimit(
    TimeSpan Stall, long Until = long.MaxValue, bool ForRoom = false, CancellationToken Token = default)
{
    // Where the first look finds the holder's process at work, a second one follows. Each takes some
    // milliseconds: all in all it stays below 50.
    private static readonly TimeSpan ShortStall = TimeSpan.FromMilliseconds(20);

    /// <summary>No wait: a moment's spinning and a look.</summary>
    public static WaitLimit None => new(TimeSpan.MaxValue, Until: 0);

    /// <summary>Until the appends that are in front have each been made: for a call that comes back to try again.</summary>
    public static WaitLimit Moment => AtMost(TimeSpan.FromMilliseconds(2));

    /// <summary>For a call that does not wait: only until those whose processes run have appended, each by a bounded copy.</summary>
    public static WaitLimit Short => new(ShortStall);

    /// <summary>So long from now on, whatever others do or do not do.</summary>
    public static WaitLimit AtMost(TimeSpan wait) =>
        new(TimeSpan.MaxValue, Stopwatch.GetTimestamp() + (long)(wait.TotalSeconds * Stopwatch.Frequency));

    public bool IsOver => Until != long.MaxValue && Stopwatch.GetTimestamp() >= Until;
}
