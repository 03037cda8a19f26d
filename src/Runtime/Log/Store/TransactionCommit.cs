using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Commits a transaction: all messages that it received and sends, or none. The caller is inside the gates of the store and of all queues.
/// </summary>
/// <remarks>
/// Invariant: before the one store that decides, all append locks are held and all sent messages are written behind zero headers; after it,
/// nothing waits and nothing can fail. So a process that dies has either changed nothing that counts, or has left entries with which
/// another process completes the transaction.
/// </remarks>
/// <param name="store">The store in which the transaction is decided.</param>
/// <param name="outputs">What it sends, at most one for each queue.</param>
/// <param name="inputs">What it received, each lease once.</param>
/// <param name="durable">Whether each step is on the disk before the next one begins, and so the whole transaction when it is done.</param>
internal sealed class TransactionCommit(
    TransactionStore store, List<TransactionOutput> outputs, List<TransactionInput> inputs, bool durable)
{
    // Bytes of messages in all outputs. Longer transactions are written before the store's commit lock is taken, so that transactions of
    // other queues need not wait for the copying.
    private const long MostBehindCommitLock = 1 << 20;

    // While this waits for the commit lock it shows progress to waiting appenders, but only for a short time, because the lock's holder may
    // have stopped.
    private static readonly TimeSpan ShortPatience = TimeSpan.FromMilliseconds(20);

    private readonly bool _isLong = outputs.Sum(static output => (long)output.Batch.Length) > MostBehindCommitLock;
    private bool _hasCommitLock;

    /// <param name="patience">How long to wait for a process that holds the store's commit lock and does not run.</param>
    /// <param name="cancellationToken">Ends the wait; checked for the last time before anything is dropped to make room.</param>
    /// <param name="blocked">The output that caused the outcome; null if the transaction is committed.</param>
    /// <param name="failure">The exception to throw if the transaction is committed, but the disk has refused it.</param>
    /// <exception cref="QueueStalledException">A process that does not run holds the store's commit lock. Nothing was done.</exception>
    /// <exception cref="QueueFailedException">The disk refused. Nothing was done.</exception>
    /// <exception cref="InvalidOperationException">A lease has ended, or there are too many entries. Nothing was done.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Nothing was done.</exception>
    public AppendOutcome TryRun(
        TimeSpan patience, CancellationToken cancellationToken, out TransactionOutput? blocked, out QueueFailedException? failure)
    {
        (blocked, failure) = (null, null);
        AppendOutcome outcome = AppendOutcome.Again;
        try
        {
            if (durable)
            {
                OrNothing(() => outputs.ForEach(static output => output.Target.Store.Sync.Log.SyncPublished()));
            }
            outcome = TryPrepare(patience, cancellationToken, out blocked);
        }
        finally
        {
            if (outcome != AppendOutcome.Published)
            {
                Undo();
            }
        }
        if (outcome == AppendOutcome.Published)
        {
            store.Decide();
            failure = Finish();
        }
        return outcome;
    }

    private AppendOutcome TryPrepare(TimeSpan patience, CancellationToken cancellationToken, out TransactionOutput? blocked)
    {
        AppendOutcome outcome = _isLong ? TryWrite(out blocked) : TryAcquireLock(new(patience, cancellationToken), out blocked);
        if (outcome == AppendOutcome.Published)
        {
            outcome = _isLong ? TryAcquireLock(new(patience, cancellationToken), out blocked) : TryWrite(out blocked);
        }
        if (outcome != AppendOutcome.Published)
        {
            return outcome;
        }
        Mark();
        if (durable)
        {
            OrNothing(SyncReceived);
            FailPoint.Reach(ProtocolStep.TransactionPartsSynced);
        }
        cancellationToken.ThrowIfCancellationRequested();
        // The last step that can fail: so messages are dropped only if new ones really come.
        blocked = outputs.Find(static output => !output.TryMakeRoom());
        if (blocked is not null)
        {
            return AppendOutcome.NoRoom;
        }
        store.Write(durable, outputs.Select(static output => output.Entry), inputs.Select(static input => input.Entry));
        return AppendOutcome.Published;
    }

    // All commits take the append locks in one order: otherwise two of them could wait for each other's queue for ever.
    private AppendOutcome TryWrite(out TransactionOutput? blocked)
    {
        foreach (TransactionOutput output in outputs.OrderBy(static output => output.Queue, StringComparer.Ordinal))
        {
            blocked = output;
            if (!output.TryAcquireLock())
            {
                return AppendOutcome.NoAppendLock;
            }
        }
        foreach (TransactionOutput output in outputs)
        {
            blocked = output;
            AppendOutcome outcome = output.TryWrite();
            if (outcome != AppendOutcome.Published)
            {
                return outcome;
            }
        }
        blocked = null;
        if (durable)
        {
            OrNothing(SyncSent);
        }
        return AppendOutcome.Published;
    }

    // While it holds the queues' append locks, it does not wait for a commit lock's holder that has stopped: it waits without them.
    private AppendOutcome TryAcquireLock(Patience patience, out TransactionOutput? blocked)
    {
        blocked = null;
        try
        {
            Action? showWork = _isLong ? () => outputs.ForEach(static output => output.ShowWork()) : null;
            OrNothing(() => store.AcquireLock(_isLong ? patience with { Limit = ShortPatience } : patience, showWork));
            _hasCommitLock = true;
            return AppendOutcome.Published;
        }
        catch (QueueStalledException) when (_isLong)
        {
            Undo();
            OrNothing(() => store.AcquireLock(patience));
            store.ReleaseLock();
            return AppendOutcome.Again;
        }
    }

    private void Mark()
    {
        foreach (TransactionInput input in inputs)
        {
            input.Leases.Require(
                input.Leases.TryMarkCommitting(input.Held), input.Held,
                "the transaction's lease", " Nothing was committed; roll back.");
        }
    }

    private void Undo()
    {
        if (_hasCommitLock)
        {
            inputs.ForEach(static input => input.Leases.Unmark(input.Held));
        }
        outputs.ForEach(static output => output.Undo());
        if (_hasCommitLock)
        {
            _hasCommitLock = false;
            store.ReleaseLock();
        }
    }

    private void SyncSent()
    {
        foreach (TransactionOutput output in outputs)
        {
            LogSync log = output.Target.Store.Sync.Log;
            log.SyncRange(log.Durable, output.Entry.End + RecordFormat.HeaderSize);
        }
    }

    private void SyncReceived()
    {
        foreach (TransactionInput input in inputs.DistinctBy(static input => input.File))
        {
            // In a queue that has failed, nothing counts as durable any more.
            input.Store.Sync.Log.ThrowIfFailed();
            input.Store.Sync.Log.SyncSubscription(input.File);
        }
    }

    private void OrNothing(Action sync)
    {
        try
        {
            sync();
        }
        catch (QueueFailedException exception)
        {
            throw Refused(
                FailureOutcome.NothingDone, "nothing of the transaction was committed, because the disk refused to take it.", exception);
        }
    }

    private QueueFailedException Refused(FailureOutcome outcome, string what, Exception cause) =>
        new($"{store.Directory}: {what} {(cause as QueueFailedException)?.Refused ?? cause.Message}", cause)
        {
            Path = store.Directory,
            Outcome = outcome,
        };

    // If the disk refuses the decision, the slot stays as it is: the next commit continues with it, and gets the error. If the disk refuses
    // a queue's part, that queue has failed, and its part is kept until the queue is opened again.
    private QueueFailedException? Finish()
    {
        Exception? failure = durable ? Try(store.SyncDecision) : null;
        bool isDone = failure is null;
        outputs.ForEach(static output => output.Publish());
        foreach (TransactionInput input in inputs)
        {
            input.File.End<MachineMemory>(input.Entry);
        }
        foreach (QueueStore queue in durable ? Queues : [])
        {
            if (Try(() => SyncEnd(queue)) is { } refused)
            {
                failure ??= refused;
                isDone = isDone && store.TryOwe(queue.Transactions.Name, queue.Meta.Id);
            }
        }
        if (isDone)
        {
            if (durable)
            {
                FailPoint.Reach(ProtocolStep.TransactionEndSynced);
            }
            store.Release();
        }
        store.ReleaseLock();
        Wake();
        return failure is null ? null : Refused(
            FailureOutcome.Committed,
            "the transaction is committed and visible, but the disk refused to take it: a power loss may take it, or tear it apart.",
            failure);
    }

    private IEnumerable<QueueStore> Queues => outputs.Select(static output => output.Target.Store)
        .Concat(inputs.Select(static input => input.Store)).DistinctBy(static queue => queue.Transactions.Name);

    private void SyncEnd(QueueStore queue)
    {
        string name = queue.Transactions.Name;
        if (outputs.Exists(output => output.Queue == name))
        {
            queue.Sync.Log.SyncPublished();
        }
        foreach (TransactionInput input in inputs.Where(input => input.Store.Transactions.Name == name)
            .DistinctBy(static input => input.File))
        {
            queue.Sync.Log.SyncSubscription(input.File);
        }
    }

    private void Wake()
    {
        foreach (TransactionOutput output in outputs)
        {
            output.Target.Store.Control.Data.NotifyWaiters<MachineMemory>();
        }
        foreach (TransactionInput input in inputs)
        {
            input.Store.Control.Room.NotifyWaiters<MachineMemory>();
            input.Leases.NoteEnded(input.Held);
        }
    }

    // The transaction is decided, so it is carried out even if the disk fails.
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
