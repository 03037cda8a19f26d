namespace BlitQueue.Calls;

/// <summary>Spins for a time before a thread sleeps.</summary>
internal struct RpcSpin(TimeSpan longest)
{
    // In the first rounds, about two microseconds, the clock is read in each: that takes as long as a pause of the processor, and tells
    // when the wait ended. Later it is read once in so many rounds.
    private const int CloseRounds = 64, RoundsPerLook = 64, Length = 1;

    private int _round;
    private long _until;

    /// <summary>When the last round was, by <see cref="Stopwatch"/>; 0 where that is not known.</summary>
    public long Now { get; private set; }

    /// <summary>Whether it is time for what is not to be looked at in each round.</summary>
    public readonly bool IsDue => _round > 0 && _round % RoundsPerLook == 0;

    /// <summary>Waits a moment.</summary>
    /// <returns>false, without waiting, when the time is over.</returns>
    public bool TryOnce()
    {
        int round = _round++;
        if (round < CloseRounds || round % RoundsPerLook == 0)
        {
            Now = Stopwatch.GetTimestamp();
            if (_until == 0)
            {
                _until = Now + (long)(longest.TotalSeconds * Stopwatch.Frequency);
            }
            if (Now >= _until)
            {
                (_round, Now) = (0, 0);
                return false;
            }
            if (round < CloseRounds)
            {
                return true;
            }
        }
        Now = 0;
        Thread.SpinWait(Length);
        return true;
    }

    /// <summary>Something happened: the time begins anew.</summary>
    public void Begin() => (_round, _until, Now) = (0, 0, 0);
}
