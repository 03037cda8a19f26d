using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Keeps segments from being given up for a moment: while a position moves back to one of them, and while a file gets the name of one.
/// Nobody waits for a hold: a process that needs room meanwhile makes a new file. That of a dead participant counts for nothing.
/// </summary>
internal sealed class SegmentHold(ControlFile control, SharedWord<long> word)
{
    private readonly Lock _sync = new();

    /// <summary>
    /// Runs something while no segment from the given one on is given up. What had been given up before,
    /// <see cref="ControlFile.FirstRetained"/> tells by then.
    /// </summary>
    public void While(long first, Action work)
    {
        using IDisposable held = Begin(first);
        work();
    }

    /// <summary>The same until what is returned is disposed, by the same thread.</summary>
    public IDisposable Begin(long first)
    {
        _sync.Enter();
        MachineMemory.Store(ref word.Value, first + 1);
        // SYNC POINT first retained: a process that gives a segment up reads this word, then the holds, then the positions, and exchanges
        // the word. So it has seen the hold, or the exchange fails, or the segment was given up before the count.
        MachineMemory.Add(ref control.FirstRetainedState, ControlFormat.OneHold);
        return new Held(this);
    }

    private void End()
    {
        // SYNC POINT first retained: publishes the position, or the name, that was the reason to hold.
        MachineMemory.Store(ref word.Value, 0);
        _sync.Exit();
    }

    private sealed class Held(SegmentHold hold) : IDisposable
    {
        private SegmentHold? _hold = hold;

        public void Dispose()
        {
            _hold?.End();
            _hold = null;
        }
    }
}
