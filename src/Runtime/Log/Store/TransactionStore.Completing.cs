using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Completes transactions that dead processes had committed. Every step may be repeated, so the completing process may die, too.
/// </summary>
internal sealed partial class TransactionStore
{
    /// <summary>Completes a transaction that a dead process had committed, if there is one; never waits.</summary>
    /// <exception cref="QueueStalledException">The committing process lives, or a process that does not run holds a queue's append
    /// lock.</exception>
    public bool TryComplete()
    {
        if (MachineMemory.Load(ref _file.Decided) == 0)
        {
            return false;
        }
        AcquireLock(TimeSpan.Zero);
        ReleaseLock();
        return true;
    }

    // If it cannot be completed now, the commit lock is released: its next holder tries again, as long as the slot names the transaction.
    private void CompleteIfPossible(TimeSpan patience)
    {
        try
        {
            Complete(patience);
        }
        catch
        {
            ReleaseLock();
            throw;
        }
    }

    private void Complete(TimeSpan patience)
    {
        FailPoint.Reach(ProtocolStep.CompletionBegun);
        if (_file.Read() is { } decided)
        {
            if (decided.IsDurable)
            {
                _file.Sync(again: true);
            }
            foreach ((string name, Guid id) in decided.Queues)
            {
                CompleteOrOwe(decided.Of(name, id), name, id, patience);
                FailPoint.Reach(ProtocolStep.CompletionQueueDone);
            }
        }
        Release();
    }

    // A failed or damaged queue must not block the transactions of other queues: its part is kept, and its repair carries it out.
    private void CompleteOrOwe(DecidedTransaction decided, string name, Guid id, TimeSpan patience)
    {
        try
        {
            Complete(decided, name, id, patience);
        }
        catch (Exception exception) when (exception is QueueFailedException or QueueCorruptException && TryOwe(name, id))
        {
        }
    }

    /// <summary>Keeps the decided part of a queue that cannot take it now. The caller holds the commit lock.</summary>
    /// <returns>false if it cannot be kept: then the slot must go on naming the transaction.</returns>
    public bool TryOwe(string queue, Guid id)
    {
        try
        {
            using var owed = TransactionFile.OpenAbove(_files.PathOf(queue), TransactionFormat.OwedName(queue));
            if (owed?.Read()?.Queues.Contains((queue, id)) == true && owed.Decided != _file.Decided)
            {
                return false;
            }
            _file.Owe(_files, queue);
            return true;
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    // Nothing is to be done for a queue that was deleted, or replaced by another of its name, and for a deleted subscription.
    private void Complete(DecidedTransaction decided, string name, Guid id, TimeSpan patience)
    {
        if (!_files.Exists(Path.Combine(name, StoreFormat.MetaName)))
        {
            return;
        }
        using var queue = QueueStore.Open(_files.PathOf(name), new StoreOptions
        {
            Patience = patience > MinimumOpening ? patience : MinimumOpening,
            Schema = null,
        });
        if (queue.Meta.Id != id)
        {
            return;
        }
        using CallGate.Call call = queue.Gate.Enter();
        foreach (DecidedLease lease in decided.Leases)
        {
            queue.Subscriptions.Find(lease.SubscriptionName)?.End<MachineMemory>(lease);
        }
        foreach (DecidedOutput output in decided.Outputs)
        {
            RollForward(queue, output.Position, patience);
        }
        if (decided.IsDurable)
        {
            Sync(queue, decided);
        }
        queue.WakeDataSleepers();
    }

    private static void Sync(QueueStore queue, DecidedTransaction decided)
    {
        queue.Sync.Log.SyncPublished();
        foreach (string name in decided.Leases.Select(static lease => lease.SubscriptionName).Distinct())
        {
            if (queue.Subscriptions.Find(name) is { } file)
            {
                queue.Sync.Log.SyncSubscription(file);
            }
        }
    }

    // The shortest patience for opening a queue, because another process may be opening it.
    private static readonly TimeSpan MinimumOpening = TimeSpan.FromMilliseconds(100);

    // Returns when the message decided for this position is published. Who takes the append lock over from a dead participant publishes it;
    // if the tail is still there, a dead participant has the lock, or a living one that has taken it over a moment ago: then this waits
    // for the lock. If the lock is closed, that is unknown.
    private static void RollForward(QueueStore queue, long position, TimeSpan patience)
    {
        // SYNC POINT tail: acquires the header in front of it.
        if (MachineMemory.Load(ref queue.Control.Tail) > position || MachineMemory.Load(ref queue.Control.LockOwner) == 0)
        {
            return;
        }
        var wait = new AppendLockWait<MachineMemory>(queue.Control, queue.Self, queue.Files);
        using var appender = new Appender<MachineMemory>(
            queue.Control, queue.Self, queue.Segments, queue.Allocator, queue.Meta, wait, queue.Transactions);
        appender.Open(patience);
        appender.ReleaseLock();
    }
}
