using System.Diagnostics;

namespace BlitQueue.Log;

/// <summary>
/// Whether the holder of an append lock is at work. A clock alone cannot tell: on a busy machine a healthy process waits longer for a
/// processor than an append takes. So where the append lock stands still for the caller's patience, the system is asked whether the
/// holder's process runs at all.
/// </summary>
internal struct HolderWatch
{
    // A process that runs but does not get on for so long gets no processor to speak of.
    private static readonly TimeSpan LongestStarved = TimeSpan.FromSeconds(5);

    private long _owner, _work, _since, _seenRunning;

    /// <summary>How long the append lock has stood still.</summary>
    public readonly TimeSpan Stood => Stopwatch.GetElapsedTime(_since);

    /// <summary>Notes what a look has found: the append lock's word; and tail and progress, which only grow, added up.</summary>
    /// <returns>true where the holder is another one, or has got on since the last look.</returns>
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
    /// Whether the append lock has stood still for the whole patience and its holder's process does not run;
    /// without patience, whether it stands still.
    /// </summary>
    public bool IsStalled(Participant self, TimeSpan patience)
    {
        if (Stopwatch.GetElapsedTime(_seenRunning) < patience)
        {
            return false;
        }
        if (patience > TimeSpan.Zero && Stood < LongestStarved && self.Runs(_owner))
        {
            _seenRunning = Stopwatch.GetTimestamp();
            return false;
        }
        return true;
    }
}
