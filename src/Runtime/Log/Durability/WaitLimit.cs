namespace BlitQueue.Log;

/// <summary>How long a call waits for others.</summary>
/// <param name="Stall"> How long the same holder of the append lock may make no progress before the call asks the system whether its
/// process runs.
/// </param>
/// <param name="Until">When the wait for the append lock ends even though others make progress, as <see cref="Stopwatch"/> counts.</param>
/// <param name="ForRoom">Whether the call also waits until others have made room, in the queue or on the disk.</param>
/// <param name="Token">Ends the waits with <see cref="OperationCanceledException"/>.</param>
internal readonly record struct WaitLimit(
    TimeSpan Stall, long Until = long.MaxValue, bool ForRoom = false, CancellationToken Token = default)
{
    /// <summary>
    /// How long a call that does not wait lets a holder make no progress. Where the first look finds the holder's process at work, a second
    /// look follows. Each takes some milliseconds: together they stay below 50.
    /// </summary>
    public static readonly TimeSpan ShortStall = TimeSpan.FromMilliseconds(20);

    /// <summary>No wait: a moment's spinning and one look.</summary>
    public static WaitLimit None => new(TimeSpan.MaxValue, Until: 0);

    /// <summary>A moment in which the appends that are ahead can be made: for a call that comes back to try again.</summary>
    public static WaitLimit Moment => AtMost(TimeSpan.FromMilliseconds(2));

    /// <summary>
    /// For a call that does not wait: only until the participants whose processes run have appended, each by a copy of bounded length.
    /// </summary>
    public static WaitLimit Short => new(ShortStall);

    /// <summary>So long from now on, whether or not others make progress.</summary>
    public static WaitLimit AtMost(TimeSpan wait)
    {
        // A time of centuries goes beyond what the clock can count.
        double until = Stopwatch.GetTimestamp() + (wait.TotalSeconds * Stopwatch.Frequency);
        return new(TimeSpan.MaxValue, until < long.MaxValue ? (long)until : long.MaxValue);
    }

    /// <summary>How long to sleep at most: until the wait is over; zero if it is, or if the token was cancelled.</summary>
    public TimeSpan Left => Token.IsCancellationRequested ? TimeSpan.Zero
        : Until == long.MaxValue ? TimeSpan.MaxValue
        : Stopwatch.GetTimestamp() is var now && now >= Until ? TimeSpan.Zero : Stopwatch.GetElapsedTime(now, Until);

    public bool IsOver => Until != long.MaxValue && Stopwatch.GetTimestamp() >= Until;
}
