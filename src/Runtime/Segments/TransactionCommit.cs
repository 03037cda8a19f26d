using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Commits what a transaction received and what it sends, as one. The caller is inside the gates of the store and of all the queues.
/// </summary>
/// <remarks>
/// All turns are taken and all that is sent stands behind zero headers before the one store that decides; after it nothing is waited for
/// and nothing can fail. So a process that dies has either changed nothing that counts, or has left entries by which others finish.
/// </remarks>
/// <param name="store">The store.</param>
/// <param name="outputs">At most one for each queue.</param>
/// <param name="inputs">Each lease once.</param>
/// <param name="durable">Whether it is on the disk when it is done: each step is there before the next begins.</param>
internal readonly struct TransactionCommit(
    TransactionStore store, List<TransactionOutput> outputs, List<TransactionInput> inputs, bool durable)
{
    /// <param name="patience">How long to wait for a process that holds the store's turn and does not run.</param>
    /// <param name="blocked">Whose outcome it is; null when it is committed.</param>
    /// <param name="failure">Where it is committed and the disk has refused it: what to throw.</param>
    /// <exception cref="QueueStalledException">A process that does not run holds the store's turn. Nothing was done.</exception>
    /// <exception cref="QueueFailedException">The disk refused. Nothing was done.</exception>
    /// <exception cref="InvalidOperationException">A lease has ended, or there are too many entries. Nothing was done.</exception>
    public CommitOutcome TryRun(TimeSpan patience, out TransactionOutput? blocked, out QueueFailedException? failure)
    {
        failure = null;
        if (durable)
        {
            OrNothing(SyncPublished);
        }
        store.TakeTurn(patience);
        try
        {
            CommitOutcome outcome = TryPrepare(out blocked);
            if (outcome != CommitOutcome.Committed)
            {
                Undo();
                return outcome;
            }
        }
        catch
        {
            Undo();
            throw;
        }
        store.Decide();
        failure = Finish();
        return CommitOutcome.Committed;
    }

    private CommitOutcome TryPrepare(out TransactionOutput? blocked)
    {
        foreach (TransactionOutput output in outputs)
        {
            blocked = output;
            try
            {
                output.TakeTurn();
            }
            catch (QueueStalledException)
            {
                return CommitOutcome.Stalled;
            }
        }
        foreach (TransactionOutput output in outputs)
        {
            blocked = output;
            CommitOutcome outcome = output.TryWrite();
            if (outcome != CommitOutcome.Committed)
            {
                return outcome;
            }
        }
        blocked = null;
        Mark();
        if (durable)
        {
            OrNothing(SyncParts);
        }
        store.Write(durable, outputs.Select(static output => output.Entry), inputs.Select(static input => input.Entry));
        return CommitOutcome.Committed;
    }

    private void Mark()
    {
        foreach (TransactionInput input in inputs)
        {
            input.Leases.Require(
                input.Leases.TryMarkCommitting(input.Held), input.Held, $"The transaction's lease of a message of {input.Store.Files.Directory}",
                " Nothing was committed; roll back.");
        }
    }

    private void Undo()
    {
        foreach (TransactionInput input in inputs)
        {
            input.Leases.Unmark(input.Held);
        }
        foreach (TransactionOutput output in outputs)
        {
            output.Undo();
        }
        store.PassTurn();
    }

    // What others have enqueued, too: without the turns, for whom it would be long. It is what makes the log end where the messages begin.
    private void SyncPublished()
    {
        foreach (TransactionOutput output in outputs)
        {
            output.Target.Store.Sync.Log.SyncPublished();
        }
    }

    private void SyncParts()
    {
        foreach (TransactionOutput output in outputs)
        {
            LogSync log = output.Target.Store.Sync.Log;
            log.SyncRange(log.Durable, output.Entry.End + RecordFormat.HeaderSize);
        }
        SyncSubscriptions();
        FailPoint.Reach(ProtocolStep.TransactionPartsSynced);
    }

    private void OrNothing(Action sync)
    {
        try
        {
            sync();
        }
        catch (QueueFailedException exception)
        {
            throw new QueueFailedException(
                $"{store.Directory}: nothing of the transaction was committed, because the disk refused to take it. {exception.Message}", exception);
        }
    }

    private void SyncSubscriptions()
    {
        foreach (IGrouping<SubscriptionFile, TransactionInput> input in inputs.GroupBy(static input => input.File))
        {
            input.First().Store.Sync.Log.SyncSubscription(input.Key);
        }
    }

    // Where the disk refuses, the slot stays as it is: whoever commits next goes on with it, and is told what is wrong.
    private QueueFailedException? Finish()
    {
        Exception? failure = durable ? Try(store.SyncDecision) : null;
        foreach (TransactionOutput output in outputs)
        {
            output.Publish();
        }
        foreach (TransactionInput input in inputs)
        {
            input.File.End<MachineMemory>(input.Entry);
        }
        failure ??= durable ? Try(SyncEnd) : null;
        if (failure is null)
        {
            store.Release();
        }
        store.PassTurn();
        Wake();
        return failure is null ? null : new QueueFailedException(
            $"{store.Directory}: the transaction is committed and visible, but the disk refused to take it: a power loss may take it, or tear it apart. "
            + failure.Message, failure);
    }

    private void SyncEnd()
    {
        SyncPublished();
        SyncSubscriptions();
        FailPoint.Reach(ProtocolStep.TransactionEndSynced);
    }

    private void Wake()
    {
        foreach (TransactionOutput output in outputs)
        {
            output.Target.Store.Control.Data.WakeSleepers<MachineMemory>();
        }
        foreach (TransactionInput input in inputs)
        {
            input.Store.Control.Room.WakeSleepers<MachineMemory>();
        }
    }

    // The transaction is decided: whatever is wrong with the disk, it is carried out.
    private static Exception? Try(Action sync)
    {
        try
        {
            sync();
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }
}
