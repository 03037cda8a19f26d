using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>Messages in cells that are to be delivered again: given back, left by dead holders, or held for too long.</content>
internal sealed partial class LeaseTable<TMem>
{
    private bool TryTakeOldest(bool includeDead, out LeaseToken lease, long began = 0)
    {
        while (FindOldest(includeDead, began) is var oldest and not 0)
        {
            if (TryTakeOver(oldest, out lease))
            {
                return true;
            }
        }
        lease = default;
        return false;
    }

    private int FindOldest(bool includeDead, long began)
    {
        // Clears the mark, with a full fence, before the look: a message that is given back during the look sets it again. Counts the
        // clearing before, so that a consumer that does not find the mark any more looks all the same.
        long mark = TMem.Load(ref file.Returned);
        if (mark != 0)
        {
            MachineMemory.Increment(ref _marks);
        }
        int marks = _marks;
        TMem.CompareExchange(ref file.Returned, 0, IsOver(mark) ? mark : 1);
        FailPoint.Reach(ProtocolStep.LeaseMarkCleared);
        var asked = new Answers(self, stackalloc long[Answers.Most]);
        int oldest = 0, waiting = 0;
        long oldestPosition = long.MaxValue, firstDue = long.MaxValue;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            if (SubscriptionFormat.State(TMem.Load(ref file.Message(cell))) == LeaseState.None
                || !IsFree(file.Look<TMem>(cell), includeDead, ref asked, out LeaseCell seen))
            {
                continue;
            }
            if (!IsDue(seen, out long due))
            {
                firstDue = Math.Min(firstDue, due);
                continue;
            }
            waiting++;
            if (seen.Position < oldestPosition)
            {
                (oldest, oldestPosition) = (cell, seen.Position);
            }
        }
        if (firstDue != long.MaxValue)
        {
            MarkReturned(firstDue);
        }
        if (waiting > 1)
        {
            TMem.Store(ref file.Returned, 1);
            // Messages of dead holders come before later messages, too: there may be more of them, so the next call looks at once.
            _emptyAt = includeDead ? 0 : _emptyAt;
        }
        if (oldest == 0 && includeDead)
        {
            (_emptyAt, _emptyMarks) = (began, marks);
        }
        return oldest;
    }

    // Whether a message without a holder may be taken now. The cell of one that was becoming a letter cannot say from when on. So while
    // this handle waits for room for letters, which it may need to find out whether there is one, that message waits as long.
    private bool IsDue(in LeaseCell seen, out long due)
    {
        due = seen.State == LeaseState.DeadLettering && _roomDue != 0 ? _roomDue : seen.Due;
        return IsOver(due);
    }

    // Whether the cell has a message without a holder: given back, or, if the caller wants those, with a dead or overdue holder.
    private bool IsFree(in LeaseCell found, bool includeDead, ref Answers asked, out LeaseCell seen)
    {
        seen = found;
        bool isFree = seen.Holder == 0 || (includeDead && IsOverdue(seen))
            || ((includeDead || seen.State == LeaseState.Returned) && !asked.IsAlive(seen.Holder));
        if (!isFree)
        {
            return false;
        }
        return seen.State switch
        {
            LeaseState.Claiming => SettleClaim(ref seen),
            // What cannot be told now is asked again at the next look.
            LeaseState.Requeueing => IsConsumed(seen, ref asked) is not null,
            _ => seen.State != LeaseState.None,
        };
    }

    // Decides a dead participant's claim: it has succeeded, or never will. If the cell shows no holder, its words were not read at one
    // moment, and the claim is a living participant's.
    private bool SettleClaim(ref LeaseCell seen)
    {
        if (seen.Holder == 0)
        {
            return false;
        }
        cursor.ConfirmClaim(TMem.Load(ref file.Next));
        if (TMem.CompareExchange(ref file.Message(seen.Number), SubscriptionFormat.Freed(seen.Message), seen.Message) == seen.Message)
        {
            return false;
        }
        seen = file.Look<TMem>(seen.Number);
        return seen.State is not (LeaseState.None or LeaseState.Claiming);
    }

    private bool TryTakeOver(int cell, out LeaseToken lease)
    {
        lease = default;
        LeaseCell seen = file.Look<TMem>(cell);
        bool isDead = seen.Holder == 0 || !self.IsAlive<TMem>(seen.Holder);
        if (seen.State is LeaseState.None or LeaseState.Claiming || !(isDead || IsOverdue(seen)))
        {
            return false;
        }
        if ((IsLease(seen.State) || !isDead) && !TryForfeit(ref seen, isDead))
        {
            return false;
        }
        if (!IsDue(seen, out long due))
        {
            // Another consumer took the message in the meantime, and gave it back for later.
            MarkReturned(due);
            return false;
        }
        return TryTakeFree(seen, out lease);
    }

    // Whether a dead holder's lease is to be ended before another participant takes the message.
    private static bool IsLease(LeaseState state) =>
        state is LeaseState.Leased or LeaseState.Committing or LeaseState.GivingBack or LeaseState.Requeueing;

    // Whether the message in a dead holder's cell is consumed all the same; null: it cannot be told now, so the cell stays as it is. Who
    // opens letters as if they were any queue cannot tell of those that were about to become messages.
    private bool? IsConsumed(in LeaseCell seen) => seen.State switch
    {
        LeaseState.Committing => decisions.Consumes(file.Name, seen.Number, seen.Message),
        LeaseState.Requeueing => isRequeued?.Invoke(seen, ifNot: null),
        _ => false,
    };

    // Ends a lease of a dead or overdue holder, or a claim that was not completed. Afterwards the message has no holder, or is consumed.
    private bool TryForfeit(ref LeaseCell seen, bool isDead)
    {
        if (!isDead && !TryEndTime(ref seen))
        {
            return false;
        }
        long forfeited = SubscriptionFormat.Forfeited(seen.Message);
        bool isConsumed, isForfeited;
        if (seen.State == LeaseState.Requeueing)
        {
            isForfeited = TryForfeitLetter(seen, forfeited, out isConsumed);
        }
        else
        {
            // Who completes a transaction ends the lease before the slot is used again: so if the slot did not name the lease, and the
            // message still has the mark, the transaction was never decided.
            isConsumed = IsConsumed(seen) == true;
            isForfeited = !isConsumed && TryEndAs(seen, forfeited);
        }
        // Another process may complete the transaction, or the requeue, first.
        if (isConsumed && TryEndAs(seen, SubscriptionFormat.Freed(seen.Message)))
        {
            control.Room.NotifyWaiters<TMem>();
        }
        seen = isForfeited ? seen with { Message = forfeited } : seen;
        return isForfeited;
    }

    // Ends the lease while no process can requeue a letter. Otherwise its holder, which may be alive and only seem dead, could give the
    // requeue up and begin another one meanwhile, and the cell's word would be the same.
    private bool TryForfeitLetter(LeaseCell seen, long forfeited, out bool isConsumed)
    {
        bool isForfeited = false;
        isConsumed = isRequeued?.Invoke(seen, () => isForfeited = TryEndAs(seen, forfeited)) == true;
        return isForfeited;
    }

    private bool TryEndAs(in LeaseCell seen, long next)
    {
        if (TMem.CompareExchange(ref file.Message(seen.Number), next, seen.Message) != seen.Message)
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseForfeited);
        return true;
    }

    // Before the lease of a living holder is ended: the holder may be about to renew it, which exchanges the same word.
    private bool TryEndTime(ref LeaseCell seen)
    {
        if (seen.State != LeaseState.Leased || SubscriptionFormat.Tag(seen.Delivery) != seen.Tag
            || SubscriptionFormat.Time(seen.Delivery) == SubscriptionFormat.Overdue)
        {
            return true;
        }
        long ended = SubscriptionFormat.DeliveryWord(SubscriptionFormat.Overdue, SubscriptionFormat.Attempt(seen.Delivery), seen.Tag);
        // SYNC POINT renewed: the exchange of one of the two succeeds.
        if (TMem.CompareExchange(ref file.Delivery(seen.Number), ended, seen.Delivery) != seen.Delivery)
        {
            return false;
        }
        seen = seen with { Delivery = ended };
        return true;
    }

    // Takes a message that has no holder and that no living participant is about to take.
    private bool TryTakeFree(in LeaseCell seen, out LeaseToken lease)
    {
        lease = default;
        int tag = SubscriptionFormat.TagAfter(seen.Tag, 1), attempt = seen.Attempt + 1;
        long delivery = SubscriptionFormat.DeliveryWord(Now, attempt, tag);
        // Unchanged since the first read: so the three words were read as of one moment.
        if (TMem.Load(ref file.Message(seen.Number)) != seen.Message
            || TMem.CompareExchange(ref file.Delivery(seen.Number), delivery, seen.Delivery) != seen.Delivery || !TryOwn(seen, tag))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseTakenOver);
        // A message that was becoming a dead letter stays in that state until it is known whether the dead letter was written.
        bool wasBeingDeadLettered = seen.State == LeaseState.DeadLettering;
        long leased = SubscriptionFormat.MessageWord(seen.Position, LeaseState.Leased, tag);
        long taken = wasBeingDeadLettered ? SubscriptionFormat.InState(leased, LeaseState.DeadLettering) : leased;
        if (TMem.CompareExchange(ref file.Message(seen.Number), taken, seen.Message) != seen.Message)
        {
            return Disown(seen, tag);
        }
        lease = new LeaseToken(
            seen.Number, leased, SubscriptionFormat.Attempt(delivery), wasBeingDeadLettered, seen.Due, HasProperties: true);
        NoteOwn(lease);
        return true;
    }

    private bool IsOverdue(in LeaseCell seen) =>
        visibility is { } limit
        && (seen.State == LeaseState.Leased || seen.IsBeingTaken)
        && Now - SubscriptionFormat.Time(seen.Delivery) > limit.TotalMilliseconds;
}
