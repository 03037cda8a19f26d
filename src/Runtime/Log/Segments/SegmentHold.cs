using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Holds segments for a moment, so that no process gives them up: while a position moves back to one of them, and while a file gets the
/// name of one. No process waits for a hold: a process that needs a segment meanwhile makes a new file. The hold of a dead participant does
/// not count.
/// </summary>
internal sealed class SegmentHold(ControlFile control, SharedWord<long> word)
{
    private readonly Lock _sync = new();

    /// <summary>
    /// Runs an action while no process gives up the given segment or a later one. The action finds in <see
    /// cref="ControlFile.FirstRetained"/>
    /// what was given up before.
    /// </summary>
    public void While(long first, Action work)
    {
        using IDisposable held = Begin(first);
        work();
    }

    /// <summary>The same until the same thread disposes what is returned.</summary>
    public IDisposable Begin(long first)
    {
        _sync.Enter();
        MachineMemory.Store(ref word.Value, first + 1);
        // SYNC POINT first retained: a process that gives a segment up reads this word, then the holds, then the positions, then exchanges
        // the word. So it sees the hold, or its exchange fails, or it gave the segment up before this addition.
        MachineMemory.Add(ref control.FirstRetainedState, ControlFormat.OneHold);
        return new Held(this);
    }

    private void End()
    {
        // SYNC POINT first retained: publishes the position, or the name, that was the reason for the hold.
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
