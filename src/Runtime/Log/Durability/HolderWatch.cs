namespace BlitQueue.Log;

/// <summary>
/// Decides whether the holder of an append lock is at work. A clock alone cannot tell: on a busy machine a healthy process waits longer for
/// a processor than an append takes. So where the holder makes no progress for the caller's patience, this asks the system whether the
/// holder's process may run at all.
/// </summary>
internal struct HolderWatch
{
    // A process that runs but makes no progress for so long gets almost no processor time. And so long is waited for one of which the
    // system does not tell whether it runs.
    private static readonly TimeSpan LongestStarved = TimeSpan.FromSeconds(5);

    private long _owner, _work, _since, _seenRunning;

    /// <summary>How long the holder has made no progress.</summary>
    public readonly TimeSpan Stood => Stopwatch.GetElapsedTime(_since);

    /// <summary>Notes what the caller read: the append lock's word, and the sum of tail and progress, which only grow.</summary>
    /// <returns>true where the holder is another participant, or has made progress since the last call.</returns>
    public bool HasMoved(long owner, long work)
    {
        if (owner == _owner && work == _work)
        {
            return false;
        }
        (_owner, _work) = (owner, work);
        _since = _seenRunning = Stopwatch.GetTimestamp();
        return true;
    }

    /// <summary>
    /// Whether the holder has made no progress for the whole patience, and its process does not run or has had the longest time that one
    /// which may run gets; without patience, whether it has made no progress.
    /// </summary>
    public bool IsStalled(Participant self, TimeSpan patience)
    {
        if (Stopwatch.GetElapsedTime(_seenRunning) < patience)
        {
            return false;
        }
        if (patience > TimeSpan.Zero && Stood < LongestStarved && self.MayRun(_owner))
        {
            _seenRunning = Stopwatch.GetTimestamp();
            return false;
        }
        return true;
    }
}
