using System.Diagnostics;

namespace BlitQueue.Calls;

/// <summary>Spins for a time before a thread sleeps.</summary>
internal struct RpcSpin(TimeSpan longest)
{
    // The clock is read once in so many rounds.
    private const int RoundsPerLook = 64, Length = 1;

    private int _round;
    private long _until;

    /// <summary>Whether it is time for what is not to be looked at in each round.</summary>
    public readonly bool IsDue => _round > 0 && _round % RoundsPerLook == 0;

    /// <summary>Waits a moment.</summary>
    /// <returns>false, without waiting, when the time is over.</returns>
    public bool TryOnce()
    {
        if ((_round++ % RoundsPerLook) == 0)
        {
            long now = Stopwatch.GetTimestamp();
            if (_until == 0)
            {
                _until = now + (long)(longest.TotalSeconds * Stopwatch.Frequency);
            }
            if (now >= _until)
            {
                _round = 0;
                return false;
            }
        }
        Thread.SpinWait(Length);
        return true;
    }

    /// <summary>Something happened: the time begins anew.</summary>
    public void Begin() => (_round, _until) = (0, 0);
}
