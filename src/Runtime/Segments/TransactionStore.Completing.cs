using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>Carrying out what a dead process had committed. Every step may be repeated, so its doer may die too.</summary>
internal sealed partial class TransactionStore
{
    /// <summary>Carries out what a dead process had committed, if there is such a transaction; waits for nobody.</summary>
    /// <exception cref="QueueStalledException">Its process lives, or a queue's turn is held by one that does not run.</exception>
    public bool TryComplete()
    {
        if (MachineMemory.Load(ref _file.Decided) == 0)
        {
            return false;
        }
        TakeTurn(TimeSpan.Zero);
        PassTurn();
        return true;
    }

    // Where it cannot be done now, the turn goes on: whoever has it next tries again, as long as the slot names the transaction.
    private void CompleteOrPass(TimeSpan patience)
    {
        try
        {
            Complete(patience);
        }
        catch
        {
            PassTurn();
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
                Complete(decided, name, id, patience);
                FailPoint.Reach(ProtocolStep.CompletionQueueDone);
            }
        }
        Release();
    }

    // What is no longer there has nothing left to do: a queue that was deleted, or another of its name; a deleted subscription.
    private void Complete(DecidedTransaction decided, string name, Guid id, TimeSpan patience)
    {
        if (!File.Exists(Path.Combine(_files.PathOf(name), StoreFormat.MetaName)))
        {
            return;
        }
        using QueueStore queue = QueueStore.Open(_files.PathOf(name), new StoreOptions
        {
            FileMode = _files.Mode,
            Patience = patience > MinimumOpening ? patience : MinimumOpening,
            Schema = null,
        });
        if (queue.Meta.Id != id)
        {
            return;
        }
        using CallGate.Call call = queue.Gate.Enter();
        if (decided.Outputs.Any(output => output.QueueId == id))
        {
            Repair(queue, patience);
        }
        foreach (DecidedLease lease in decided.Leases.Where(lease => lease.QueueId == id))
        {
            queue.Subscriptions.Find(lease.SubscriptionName)?.End<MachineMemory>(lease);
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
        foreach (string name in decided.Leases.Where(lease => lease.QueueId == queue.Meta.Id).Select(static lease => lease.SubscriptionName).Distinct())
        {
            if (queue.Subscriptions.Find(name) is { } file)
            {
                queue.Sync.Log.SyncSubscription(file);
            }
        }
    }

    // A process that opens a queue takes its time.
    private static readonly TimeSpan MinimumOpening = TimeSpan.FromMilliseconds(100);

    // Taking the turn from the dead publishes what was decided; when it is anybody else's, or free, that was done before.
    private static void Repair(QueueStore queue, TimeSpan patience)
    {
        var wait = new TurnWait<MachineMemory>(queue.Control, queue.Self, queue.Files);
        using var appender = new Appender<MachineMemory>(
            queue.Control, queue.Self, queue.Table, queue.Keeper, queue.Meta, wait, queue.Transactions);
        appender.Open(patience);
        appender.PassTurn();
    }
}
