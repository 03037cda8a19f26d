using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>How long the append lock has stood still, for a call that does not wait on its thread but comes back to try again.</summary>
internal sealed class StallWatch(QueueStore store, AppendLockWait<MachineMemory> wait, TimeSpan patience)
{
    /// <summary>How long to stay away until the next attempt.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    private HolderWatch _watch;

    /// <summary>Whether it watches the append lock of this queue.</summary>
    public bool IsOf(QueueStore other) => other == store;

    /// <summary>Notes that an attempt found the append lock held.</summary>
    /// <exception cref="QueueStalledException">
    /// The same holder has kept it for the whole patience without an append, and its process does not run.
    /// </exception>
    public void Note()
    {
        using CallGate.Call call = store.Gate.Enter();
        long owner = MachineMemory.Load(ref store.Control.LockOwner);
        long moved = MachineMemory.Load(ref store.Control.Tail) + MachineMemory.Load(ref store.Control.Progress);
        if (!_watch.HasMoved(owner, moved) && owner != 0 && _watch.IsStalled(store.Self, patience))
        {
            throw wait.Stalled(owner, _watch.Stood);
        }
    }
}
