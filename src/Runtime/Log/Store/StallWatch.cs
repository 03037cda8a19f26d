using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Measures how long the append lock has made no progress, for an asynchronous call that tries again from time to time.</summary>
internal sealed class StallWatch(QueueStore store, AppendLockWait<MachineMemory> wait, TimeSpan patience)
{
    /// <summary>The time until the next attempt.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    private HolderWatch _watch;

    /// <summary>Whether this watches the append lock of a queue.</summary>
    public bool IsOf(QueueStore other) => other == store;

    /// <summary>
    /// Notes that an attempt acquired the append lock, or that none will be made: the next one that finds it held is the first.
    /// </summary>
    public void End() => _watch = default;

    /// <summary>Notes that an attempt found the append lock held.</summary>
    /// <exception cref="QueueStalledException">
    /// The same holder has kept it for the whole patience without an append, and its process does not run.
    /// </exception>
    public void Note()
    {
        using CallGate.Call call = store.Gate.Enter();
        long owner = store.Control.AppendHolder<MachineMemory>();
        long moved = MachineMemory.Load(ref store.Control.Tail) + MachineMemory.Load(ref store.Control.Progress);
        if (!_watch.HasMoved(owner, moved) && owner != 0 && _watch.IsStalled(store.Self, patience))
        {
            throw wait.Stalled(owner, _watch.Stood);
        }
    }
}
