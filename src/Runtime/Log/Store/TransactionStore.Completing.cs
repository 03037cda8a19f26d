using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>Carrying out what a dead process had committed. Every step may be repeated, so its doer may die too.</summary>
internal sealed partial class TransactionStore
{
    /// <summary>Carries out what a dead process had committed, if there is such a transaction; waits for nobody.</summary>
    /// <exception cref="QueueStalledException">Its process lives, or a queue's append lock is held by one that does not run.</exception>
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

    // Where it cannot be done now, the commit lock goes on: its next holder tries again, as long as the slot names the transaction.
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

    // A queue that has failed, or is damaged, holds up no transaction of others: its repair carries out what it is owed.
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

    /// <summary>Keeps what is decided for a queue that cannot take its part now. The caller holds the commit lock.</summary>
    /// <returns>false when it cannot be kept: the slot must go on naming it.</returns>
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

    // What is no longer there has nothing left to do: a queue that was deleted, or another of its name; a deleted subscription.
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
        if (decided.Outputs.Length > 0)
        {
            RollForward(queue, patience);
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

    // A process that opens a queue takes its time.
    private static readonly TimeSpan MinimumOpening = TimeSpan.FromMilliseconds(100);

    // Taking over the commit lock from the dead publishes what was decided; when it is a living one's, or free, that was done before. Of
    // one that is closed nobody knows.
    private static void RollForward(QueueStore queue, TimeSpan patience)
    {
        long holder = MachineMemory.Load(ref queue.Control.LockOwner);
        if (holder == 0 || queue.Self.IsAlive<MachineMemory>(holder))
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
