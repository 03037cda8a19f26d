using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Letters that become messages again.</content>
public sealed partial class DeadLetterQueue<T>
{
    /// <summary>Makes a leased letter a message of its subscription again; as <see cref="DeadLetterLease{T}.Requeue"/>.</summary>
    /// <param name="lease">A lease of these letters.</param>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock; nothing has happened then.</param>
    /// <exception cref="ArgumentException">
    /// The lease holds no letter, or one of another subscription; or the message is longer than the capacity.
    /// </exception>
    /// <inheritdoc cref="DeadLetterLease{T}.Requeue"/>
    public QueuePosition Requeue(in DeadLetterLease<T> lease, CancellationToken cancellationToken = default) => lease.Letters == this
        ? Requeue(lease.Held, cancellationToken)
        : throw new ArgumentException(
            lease.Letters is null
                ? "The lease holds no letter: TryReceive returned false."
                : $"The lease is of the letters of '{lease.Letters._subscription}' in {lease.Letters._queue.Files.Directory}, not of "
                    + $"those of '{_subscription}' in {_queue.Files.Directory}. Call Requeue of the lease.",
            nameof(lease));

    /// <summary>
    /// Makes all waiting letters messages of their subscription again, in their order. Messages that become letters meanwhile, and letters
    /// that other consumers hold, stay letters.
    /// </summary>
    /// <param name="cancellationToken">Ends it before the next letter; those in front of it are messages then.</param>
    /// <returns>How many there were.</returns>
    /// <remarks>
    /// Each letter goes, and its message comes, in one step of its own: if the process is killed, some are messages, the others letters,
    /// and none is both or neither. Where it throws, the letters that are left stay as they are.
    /// </remarks>
    /// <exception cref="QueueCorruptException">The next letter is damaged; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <inheritdoc cref="DeadLetterLease{T}.Requeue"/>
    public long RequeueAll(CancellationToken cancellationToken = default)
    {
        long end;
        using (CallGate.Call call = _store.Gate.Enter())
        {
            end = MachineMemory.Load(ref _store.Control.Tail);
        }
        for (long count = 0; ; count++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (!TryReceive(out DeadLetterLease<T> lease))
            {
                return count;
            }
            try
            {
                if (lease.Position.Value >= end)
                {
                    return count;
                }
                lease.Requeue(cancellationToken);
            }
            finally
            {
                GiveBackUncounted(lease.Held);
            }
        }
    }

    internal QueuePosition Requeue(in LeaseToken held, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        using var staged = StagedBatch.Rent();
        SubscriptionFile receiver = Stage(held, staged);
        StallWatch? stall = null;
        for (; ; )
        {
            SettleEarlier();
            var output = new TransactionOutput(_target, staged);
            switch (TryRequeue(held, receiver, output, out long position, out QueueFailedException? failure))
            {
                case AppendOutcome.Published:
                    return failure is null ? new QueuePosition(position) : throw failure;
                case AppendOutcome.NeedsSegment:
                    _target.MakeSegments(output.NeededSegment, _patience, cancellationToken);
                    break;
                case AppendOutcome.NoRoom:
                    _target.WaitForRoom(output.Extent, cancellationToken);
                    break;
                case AppendOutcome.NoAppendLock:
                    (stall ??= _target.WatchStall(_patience)).Note();
                    Thread.Sleep(StallWatch.Pause);
                    break;
            }
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    private void GiveBackUncounted(in LeaseToken held)
    {
        if (!_queue.Gate.IsClosed && !_store.Gate.IsClosed)
        {
            using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
            _leases.TryGiveBackUncounted(held);
        }
    }

    // The message as its producer packed it, behind its properties. Returns the subscription that is to get it.
    private SubscriptionFile Stage(in LeaseToken held, StagedBatch staged)
    {
        DeadLetter<T>? letter = null;
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        _leases.Require(_leases.IsHeld(held), held);
        RecordRef found = ReadLeased(held, ref letter);
        PropertyBlock before = found.HasProperties ? _cursor.Reader.Properties(found, isChecked: true) : default;
        byte[] block = before.Requeued(_subscription, new LetterOrigin(_store.Meta.Id, held.Position), _queue.Clock.UtcNow.Ticks);
        block.CopyTo(staged.GetSpan(block.Length));
        staged.Advance(block.Length);
        staged.Add(letter.PackedMessage, block.Length);
        staged.Stamp(_queue.Clock.UtcNow.Ticks);
        return _queue.Subscriptions.Find(_subscription) is { } receiver && _queue.Ended.TryUse(receiver) ? receiver : throw NoReceiver();
    }

    private QueueException NoReceiver() => new(
        $"{_queue.Files.Directory}: the subscription '{_subscription}' was deleted, or has ended with its last consumer: no consumer would "
            + "get the message. The letter stays. Subscribe again before Requeue, or take the letter and enqueue its message.")
    { Reason = QueueError.SubscriptionGone, Path = _queue.Files.Directory };

    private AppendOutcome TryRequeue(
        in LeaseToken held, SubscriptionFile receiver, TransactionOutput output, out long first, out QueueFailedException? failure)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        (first, failure) = (0, null);
        AppendOutcome outcome = TryPrepare(held, receiver, output);
        if (outcome != AppendOutcome.Published)
        {
            return outcome;
        }
        (long position, first) = (output.Entry.Position, output.First);
        _queue.Requeues.Note(position);
        FailPoint.Reach(ProtocolStep.RequeueNoted);
        // Decides: from here on the log has a message that names the letter.
        output.Publish();
        failure = TrySync();
        _leases.EndRequeued(held);
        _queue.Requeues.Release(position);
        FailPoint.Reach(ProtocolStep.RequeueReleased);
        _queue.Control.Data.NotifyWaiters<MachineMemory>();
        _store.Control.Room.NotifyWaiters<MachineMemory>();
        return AppendOutcome.Published;
    }

    // Consumes the letter of a process that was killed, or is slow, after it published the letter's message; only one letter is noted at a
    // time. It runs without the append lock, because others wait for that.
    private void SettleEarlier()
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        long tail = MachineMemory.Load(ref _queue.Control.Tail);
        if (!_queue.Requeues.IsUnsettledBefore(tail))
        {
            return;
        }
        try
        {
            _queue.Sync.Log.SyncPublished();
        }
        catch (QueueFailedException exception)
        {
            throw new QueueFailedException(
                $"{_queue.Files.Directory}: the letter is still a letter: the disk refused to take an earlier message. {exception.Refused}",
                exception)
            { Path = _queue.Files.Directory, Outcome = FailureOutcome.NothingDone };
        }
        if (_queue.Requeues.SettleBefore(tail) is { } obstacle)
        {
            string text =
                $"{_queue.Files.Directory}: the letter is still a letter: an earlier requeue may not be complete. {obstacle.Message}";
            throw obstacle is QueueFullException
                ? new QueueFullException(text, obstacle) { Path = obstacle.Path }
                : new QueueException(text, obstacle) { Reason = QueueError.SystemRefused, Path = obstacle.Path };
        }
    }

    // Whether a letter that a dead process has marked has become a message; null: the queue cannot tell now. If the letters' lock file was
    // lost, that process may only seem dead. But it publishes under the append lock: while this handle has that lock, the message has been
    // published, or never will be. The message is on the disk before the letter goes, because that process may have promised that.
    private bool? IsRequeued(in LeaseCell letter, Action? ifNot)
    {
        try
        {
            if (!_target.Appender.TryOpen(WaitLimit.Moment, out _))
            {
                return null;
            }
            bool isMessage = false;
            try
            {
                // Under the lock: otherwise its holder may mark the letter again, with another target.
                isMessage = HasMessageOf(letter.Number, letter.Message);
                if (!isMessage)
                {
                    ifNot?.Invoke();
                }
            }
            finally
            {
                _target.Appender.ReleaseLock();
            }
            if (isMessage)
            {
                _queue.Sync.Log.SyncPublished();
            }
            return isMessage;
        }
        catch (QueueException)
        {
            // The queue has failed, or is damaged: each call that enqueues says so.
            return null;
        }
    }

    private bool HasMessageOf(int cell, long message) => _queue.Requeues.HasMessageOf(
        new LetterOrigin(_store.Meta.Id, SubscriptionFormat.MessagePosition(message)), MachineMemory.Load(ref _file.Target(cell)));

    // The letter is marked, and its message written behind a zero header; or nothing has happened.
    private AppendOutcome TryPrepare(in LeaseToken held, SubscriptionFile receiver, TransactionOutput output)
    {
        bool isMarked = false, isPrepared = false;
        try
        {
            // Another process may have published one since, and not consumed its letter yet.
            AppendOutcome outcome = output.TryAcquireLock() && !_queue.Requeues.IsUnsettledBefore(_target.Appender.Position)
                ? output.TryWrite()
                : AppendOutcome.NoAppendLock;
            if (outcome != AppendOutcome.Published)
            {
                return outcome;
            }
            if (!receiver.TryNoteUse())
            {
                throw NoReceiver();
            }
            _leases.Require(isMarked = _leases.TryMarkRequeueing(held, output.Entry.Position), held);
            // The last step that can fail, so messages are dropped only if this one is really published.
            isPrepared = output.TryMakeRoom();
            return isPrepared ? AppendOutcome.Published : AppendOutcome.NoRoom;
        }
        finally
        {
            if (!isPrepared)
            {
                if (isMarked)
                {
                    _leases.UnmarkRequeueing(held);
                }
                output.Undo();
            }
        }
    }

    // The message is published. If the handle asks for durability, it is on the disk before the letter goes.
    private QueueFailedException? TrySync()
    {
        try
        {
            if (_target.IsDurable)
            {
                _queue.Sync.Log.SyncPublished();
            }
            _target.NoteCommitted();
            return null;
        }
        catch (QueueFailedException exception)
        {
            return new QueueFailedException(
                $"{_queue.Files.Directory}: the letter has become a message, but the disk refused to take it: a power loss may take it. "
                    + exception.Refused, exception)
            {
                Path = _queue.Files.Directory,
                Outcome = FailureOutcome.Committed,
            };
        }
    }
}
