using System.Collections.Concurrent;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>The other ends of a lease: dead letter, given back, marked for a transaction; and why a lease is no longer valid.</content>
internal sealed partial class LeaseTable<TMem>
{
    // How many lost leases this handle remembers after it has leased other messages in their cells.
    private const int MostLost = 4096;

    private readonly ConcurrentQueue<(int Cell, long Message)> _lost = [];

    /// <summary>
    /// Begins to make the leased message a dead letter. Then the caller writes the dead letter, and <see
    /// cref="SubscriptionFile.EndDeadLetter"/> ends the lease.
    /// </summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryBeginDeadLetter(in LeaseToken lease)
    {
        if (!TryEnd(lease, SubscriptionFormat.InState(lease.Message, LeaseState.DeadLettering)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseDeadLettering);
        return true;
    }

    /// <summary>Leases the message as before, because no dead letter was written. False if one was written, and was taken.</summary>
    public bool TryCancelDeadLetter(in LeaseToken lease) => TryResume(lease, LeaseState.DeadLettering);

    private bool TryResume(in LeaseToken lease, LeaseState state)
    {
        long now = SubscriptionFormat.InState(lease.Message, state);
        if (TMem.CompareExchange(ref file.Message(lease.Cell), lease.Message, now) != now)
        {
            return false;
        }
        Own(lease.Cell) = lease.Message;
        return true;
    }

    /// <summary>Gives the leased message back: the next consumer takes it, before later messages.</summary>
    /// <param name="lease">The lease.</param>
    /// <param name="due">When it may be delivered again, milliseconds since the system's start; 0: at once.</param>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryAbandon(in LeaseToken lease, long due = 0) => TryGiveBack(lease, due, lease.Attempt);

    /// <summary>Gives the leased message back, and has the caller write why before another consumer can take it.</summary>
    /// <param name="lease">The lease.</param>
    /// <param name="due">As above.</param>
    /// <param name="writeReason">Called if the lease was valid: it is the caller alone that writes then.</param>
    /// <returns>false when the lease had ended already; nothing was written.</returns>
    public bool TryAbandon(in LeaseToken lease, long due, Action<LeaseToken> writeReason)
    {
        long givingBack = SubscriptionFormat.InState(lease.Message, LeaseState.GivingBack);
        if (!TryEnd(lease, givingBack))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseGivingBack);
        try
        {
            writeReason(lease);
            FailPoint.Reach(ProtocolStep.LeaseReasonWritten);
        }
        finally
        {
            SetDue(lease, givingBack, due, lease.Attempt);
            TMem.CompareExchange(
                ref file.Message(lease.Cell), SubscriptionFormat.InState(lease.Message, LeaseState.Returned), givingBack);
            FailPoint.Reach(ProtocolStep.LeaseReturned);
            MarkReturned(due);
        }
        return true;
    }

    /// <summary>Gives back a message that was taken over and not delivered: the attempt does not count.</summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryGiveBackUnread(in LeaseToken lease) => TryGiveBackUnread(lease, lease.Due, orElse: 0);

    /// <summary>As <see cref="TryGiveBackUnread(in LeaseToken)"/>, to be delivered at another time.</summary>
    public bool TryGiveBackUnread(in LeaseToken lease, long due) => TryGiveBackUnread(lease, due, orElse: due);

    private bool TryGiveBackUnread(in LeaseToken lease, long due, long orElse) => TryGiveBack(lease, due, lease.Attempt - 1)
        || (lease.WasBeingDeadLettered
            && TryGiveBack(
                lease with { Message = SubscriptionFormat.InState(lease.Message, LeaseState.DeadLettering) }, orElse, lease.Attempt - 1));

    /// <summary>Gives the leased message back at once; this delivery does not count.</summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryGiveBackUncounted(in LeaseToken lease) => TryGiveBack(lease, due: 0, lease.Attempt - 1);

    private bool TryGiveBack(in LeaseToken lease, long due, int attempt)
    {
        SetDue(lease, lease.Message, due, attempt);
        bool isLeased = SubscriptionFormat.State(lease.Message) == LeaseState.Leased;
        if (!TryEnd(
            lease, isLeased ? SubscriptionFormat.InState(lease.Message, LeaseState.Returned) : SubscriptionFormat.Forfeited(lease.Message)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseReturned);
        MarkReturned(due);
        return true;
    }

    private void SetDue(in LeaseToken lease, long held, long due, int attempt)
    {
        long delivery = TMem.Load(ref file.Delivery(lease.Cell));
        // Not of a lease that has ended: the message may have been given back with a delay, before its lease is disposed.
        if (SubscriptionFormat.Tag(delivery) == lease.Tag && TMem.Load(ref file.Message(lease.Cell)) == held)
        {
            // A consumer that takes the message over writes another tag first, so the delay of a holder that has lost its lease never
            // counts. As long as the lease is valid, this word makes it look younger, never overdue.
            long from = due == 0 ? SubscriptionFormat.AtOnce : Math.Min(due, SubscriptionFormat.AtOnce - 1);
            TMem.CompareExchange(ref file.Delivery(lease.Cell), SubscriptionFormat.DeliveryWord(from, attempt, lease.Tag), delivery);
        }
    }

    /// <summary>Makes the lease last from now on, as if it had just been taken.</summary>
    /// <remarks>
    /// The delivery word decides between this and a consumer that takes what has lasted for too long: that one exchanges it, too, before it
    /// touches the message.
    /// </remarks>
    /// <returns>false when the lease had ended already, or another consumer has decided to take the message.</returns>
    public bool TryRenew(in LeaseToken lease)
    {
        for (; ; )
        {
            long delivery = TMem.Load(ref file.Delivery(lease.Cell));
            if (!IsHeld(lease))
            {
                return false;
            }
            if (SubscriptionFormat.Tag(delivery) != lease.Tag || SubscriptionFormat.Time(delivery) == SubscriptionFormat.Overdue)
            {
                // That consumer may have died. Then no consumer would have the message, as this handle is told that it lost it.
                if (TryAbandon(lease))
                {
                    NoteLost(lease.Cell, lease.Message);
                }
                return false;
            }
            long renewed = SubscriptionFormat.DeliveryWord(Now, SubscriptionFormat.Attempt(delivery), lease.Tag);
            // SYNC POINT renewed: the exchange of one of the two succeeds.
            if (TMem.CompareExchange(ref file.Delivery(lease.Cell), renewed, delivery) == delivery)
            {
                return IsHeld(lease);
            }
        }
    }

    /// <summary>Whether the lease is valid.</summary>
    public bool IsHeld(in LeaseToken lease) => TMem.Load(ref file.Message(lease.Cell)) == lease.Message && IsMine(lease);

    /// <summary>Whether the lease was still valid after its message was read: a full fence orders the reading before this look.</summary>
    public bool WasHeld(in LeaseToken lease) => StillSays(lease.Cell, lease.Message) && IsMine(lease);

    /// <summary>Whether the message of a lease was not consumed since, and waits in its cell, or is leased there again.</summary>
    /// <remarks>
    /// One load of the cell's word, which alone says both. Another process may consume the message right behind it: for what is only told.
    /// </remarks>
    public bool IsThere(in LeaseToken lease) =>
        TMem.Load(ref file.Message(lease.Cell)) is var message
        && SubscriptionFormat.State(message) != LeaseState.None
        && SubscriptionFormat.MessagePosition(message) == lease.Position;

    private void NoteLost(int cell, long message)
    {
        _lost.Enqueue((cell, message));
        if (_lost.Count > MostLost)
        {
            _lost.TryDequeue(out _);
        }
    }

    /// <summary>Throws if a lease is not valid; the caller's texts say which one it is, and what was done with the others.</summary>
    /// <exception cref="QueueException">The subscription was deleted.</exception>
    /// <exception cref="LeaseLostException">The message was given to another consumer.</exception>
    /// <exception cref="InvalidOperationException">This handle has ended the lease.</exception>
    public void Require([DoesNotReturnIf(false)] bool held, in LeaseToken lease, string what = "the lease", string rest = "")
    {
        if (held)
        {
            return;
        }
        cursor.ThrowIfGone();
        string which = $"{file.Directory}: {what} of the message at {lease.Position}, of the subscription '{file.Name}',";
        if (WasLost(lease))
        {
            throw new LeaseLostException(
                $"{which} was lost: the subscription's visibility time-out was over, and the message was given to another consumer. What "
                + $"was done with the message may be done again. Make the time-out longer than its work takes.{rest}")
            { Path = file.Directory };
        }
        throw new InvalidOperationException($"{which} has ended: it was committed or given back already.{rest}");
    }

    private bool WasLost(in LeaseToken lease) => Own(lease.Cell) == lease.Message || _lost.Contains((lease.Cell, lease.Message));

    /// <summary>
    /// Marks the leased message: the transaction that is being committed consumes it. The caller holds the store's commit lock.
    /// </summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryMarkCommitting(in LeaseToken lease)
    {
        if (!TryEnd(lease, Marked(lease)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.TransactionLeaseMarked);
        return true;
    }

    /// <summary>Leases the message as before: the transaction was not committed.</summary>
    public void Unmark(in LeaseToken lease) => TryResume(lease, LeaseState.Committing);

    /// <summary>
    /// Marks the leased letter: it is consumed if the message at the target is published and names it. The caller holds the append lock of
    /// the queue that the message goes to.
    /// </summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryMarkRequeueing(in LeaseToken lease, long target)
    {
        if (!IsHeld(lease))
        {
            return false;
        }
        // Who has the cell next, if this lease ends now, writes its own target, with the append lock, before it marks the cell.
        TMem.Store(ref file.Target(lease.Cell), target);
        if (!TryEnd(lease, SubscriptionFormat.InState(lease.Message, LeaseState.Requeueing)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.RequeueMarked);
        return true;
    }

    /// <summary>Leases the letter as before: no message was published.</summary>
    public void UnmarkRequeueing(in LeaseToken lease) => TryResume(lease, LeaseState.Requeueing);

    /// <summary>Consumes the marked letter: its message is published.</summary>
    public void EndRequeued(in LeaseToken lease)
    {
        file.EndRequeued<TMem>(lease.Cell, SubscriptionFormat.InState(lease.Message, LeaseState.Requeueing));
        NoteEnded(lease);
    }

    /// <summary>A transaction's entry for the lease.</summary>
    public DecidedLease EntryOf(string queue, Guid queueId, in LeaseToken lease)
        => new(queue, queueId, file.Name, lease.Cell, Marked(lease));

    private static long Marked(in LeaseToken lease) => SubscriptionFormat.InState(lease.Message, LeaseState.Committing);

    /// <summary>The time after a delay, milliseconds since the system's start; 0 without a delay.</summary>
    public long DueAfter(TimeSpan delay) =>
        delay == TimeSpan.Zero ? 0 : Now + (long)Math.Ceiling(delay.TotalMilliseconds);

    /// <summary>
    /// The time after which what waits for room on the disk is tried again: when the delay is over by the handle's clock or by the
    /// system's, whichever comes first. Room comes also while a handle's own clock stands still.
    /// </summary>
    public long DueForRoom(TimeSpan delay)
    {
        _roomOver = TMem.Milliseconds + (long)delay.TotalMilliseconds;
        return _roomDue = DueAfter(delay);
    }

    /// <summary>Whether a time has passed. For the mark of returned messages, too: 1 ("at once") was over before any process ran.</summary>
    public bool IsOver(long time) => time <= 1 || time <= Now || (time == _roomDue && _roomOver <= TMem.Milliseconds);

    // The mark is the earliest due time of all returned messages. A sleeper looks often enough to notice a later one by itself.
    private void MarkReturned(long due)
    {
        long mark = Math.Max(due, 1);
        for (long now = TMem.Load(ref file.Returned); now == 0 || now > mark; now = TMem.Load(ref file.Returned))
        {
            // SYNC POINT returned: publishes that the cell's message is free to take.
            if (TMem.CompareExchange(ref file.Returned, mark, now) == now)
            {
                break;
            }
        }
        if (mark == 1)
        {
            control.Data.NotifyAll<TMem>();
        }
    }
}
