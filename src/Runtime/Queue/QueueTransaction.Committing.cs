using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class QueueTransaction
{
    // As for an enqueue that never waits.
    private static readonly TimeSpan ShortPatience = TimeSpan.FromMilliseconds(40);

    /// <summary>
    /// Makes all of it happen: what was received is consumed, and what was sent is there for all consumers. Waits for room as each queue's
    /// <see cref="QueueOptions.FullMode"/> says. If it throws, nothing has happened, and the transaction stays open: it may be committed
    /// again or rolled back. Only a <see cref="QueueFailedException"/> may come after the commit: its
    /// <see cref="QueueFailedException.Outcome"/> says so.
    /// </summary>
    /// <param name="cancellationToken">Ends a wait for room.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueFullException">
    /// No room on the disk, or within a queue's capacity where <see cref="FullMode.Fail"/> is chosen.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// A process that does not run has been committing, or appending to one of the queues, for <see cref="QueueOptions.StallTimeout"/>.
    /// </exception>
    /// <exception cref="QueueFailedException">
    /// The disk refused a sync; <see cref="QueueFailedException.Outcome"/> says whether before the commit, so
    /// that nothing has happened, or after it.
    /// </exception>
    /// <exception cref="ArgumentException">What is sent to a queue can never fit into its capacity.</exception>
    /// <exception cref="InvalidOperationException">The transaction is over, or has more than 64 queues or subscriptions.</exception>
    /// <exception cref="LeaseLostException">A message's visibility time-out was over, and another consumer has it.</exception>
    /// <exception cref="ObjectDisposedException">The transaction, the store or a queue was disposed.</exception>
    public void Commit(CancellationToken cancellationToken = default) => Run(_patience, wait: true, cancellationToken);

    /// <summary>Like <see cref="Commit"/>, but never waits for room.</summary>
    /// <returns>false when a queue's capacity leaves none: nothing has happened, and the transaction stays open.</returns>
    /// <exception cref="QueueFullException">No room on the disk.</exception>
    /// <exception cref="QueueStalledException">
    /// A process that does not run has been committing or appending; thrown after at most 50 ms or so, or after 5 s where the
    /// system does not tell whether it runs.
    /// </exception>
    /// <inheritdoc cref="Commit"/>
    public bool TryCommit() => Run(ShortPatience, wait: false, CancellationToken.None);

    /// <summary>
    /// Like <see cref="Commit"/>, but waits for room without a thread. Work that takes only a moment is done on the caller's thread.
    /// </summary>
    /// <inheritdoc cref="Commit"/>
    public async ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        RequireOpen();
        StallWatch? stall = null;
        while (!Attempt(_patience, cancellationToken, ref stall, out ITransactionTarget? full, out long extent))
        {
            ValueTask wait = full is null
                ? new ValueTask(Task.Delay(StallWatch.Pause, cancellationToken))
                : full.AwaitRoomAsync(extent, cancellationToken);
            await wait.ConfigureAwait(false);
        }
    }

    private bool Run(TimeSpan patience, bool wait, CancellationToken cancellationToken)
    {
        RequireOpen();
        StallWatch? stall = null;
        while (!Attempt(patience, cancellationToken, ref stall, out ITransactionTarget? full, out long extent))
        {
            if (full is null)
            {
                Thread.Sleep(StallWatch.Pause);
            }
            else if (wait)
            {
                full.WaitForRoom(extent, cancellationToken);
            }
            else
            {
                return false;
            }
        }
        return true;
    }

    // Returns false if a queue is full, or, where none is named, if the holder of a queue's append lock does not run just now.
    private bool Attempt(
        TimeSpan patience, CancellationToken cancellationToken, ref StallWatch? stall, out ITransactionTarget? full, out long extent)
    {
        (full, extent) = (null, 0);
        for (; ; )
        {
            cancellationToken.ThrowIfCancellationRequested();
            TransactionOutput? blocked = null;
            QueueFailedException? failure = null;
            AppendOutcome outcome = _queues.Count == 0
                ? AppendOutcome.Published
                : EnterAndRun(0, patience, cancellationToken, out blocked, out failure);
            switch (outcome)
            {
                case AppendOutcome.Published:
                    foreach (ITransactionTarget target in Targets)
                    {
                        target.NoteCommitted();
                    }
                    End("committed");
                    return failure is null ? true : throw failure;
                case AppendOutcome.NeedsSegment:
                    blocked!.Target.MakeSegments(blocked!.NeededSegment, patience, cancellationToken);
                    break;
                case AppendOutcome.NoRoom when RemovesEnded(blocked!.Full!.Store):
                    break;
                case AppendOutcome.NoRoom:
                    (full, extent) = (blocked!.Full, blocked.Extent);
                    return false;
                case AppendOutcome.NoAppendLock:
                    if (stall?.IsOf(blocked!.Target.Store) != true)
                    {
                        stall = blocked!.Target.WatchStall(patience);
                    }
                    stall.Note();
                    return false;
            }
        }
    }

    private static bool RemovesEnded(QueueStore full)
    {
        using CallGate.Call call = full.Gate.Enter();
        return full.Ended.TryRemove();
    }

    private AppendOutcome EnterAndRun(
        int entered, TimeSpan patience, CancellationToken cancellationToken, out TransactionOutput? blocked,
        out QueueFailedException? failure)
    {
        if (entered < _queues.Count)
        {
            using CallGate.Call queue = _queues[entered].Gate.Enter();
            return EnterAndRun(entered + 1, patience, cancellationToken, out blocked, out failure);
        }
        using CallGate.Call store = _store.Gate.Enter();
        bool durable = _durable || Targets.Any(static target => target.IsDurable);
        return new TransactionCommit(_store, _outputs, _inputs, durable).TryRun(patience, cancellationToken, out blocked, out failure);
    }

    private IEnumerable<ITransactionTarget> Targets => _outputs.SelectMany(static output => output.Targets);
}
