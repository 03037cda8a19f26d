namespace BlitQueue.Log;

// For the only consumer of a subscription: a message that was given back delays everything behind it.
internal sealed partial class LeaseTable<TMem>
{
    // No other consumer exists, so leases of dead holders can only be from before this consumer began: one look is enough.
    private bool _looksForDead = true;

    /// <summary>Takes the next message in the strict order.</summary>
    /// <returns>false if there is none, or if it is to be delivered later.</returns>
    public bool TryTakeInOrder(out LeaseToken lease)
    {
        AnnounceLeases();
        return TryTakeGivenBack(out lease, out bool isDelayed) || (!isDelayed && TryTakeNext(out lease));
    }

    /// <summary>Takes the oldest message that was given back or that a dead consumer held.</summary>
    /// <param name="lease">The message.</param>
    /// <param name="isDelayed">Whether there is a message that is to be delivered later.</param>
    public bool TryTakeGivenBack(out LeaseToken lease, out bool isDelayed)
    {
        (lease, isDelayed) = (default, false);
        while (_looksForDead || TMem.Load(ref file.Returned) != 0)
        {
            if (!TryPeekOldest(_looksForDead, dueOnly: false, out LeaseCell oldest))
            {
                _looksForDead = false;
                // There is no other consumer that could give a message back in the meantime.
                TMem.Store(ref file.Returned, 0);
                return false;
            }
            if (!IsOver(oldest.Due))
            {
                isDelayed = true;
                // Messages behind the oldest one may be due earlier, but have to wait for it.
                TMem.Store(ref file.Returned, oldest.Due);
                return false;
            }
            if (TryTakeOver(oldest.Number, out lease))
            {
                TMem.Store(ref file.Returned, 1);
                return true;
            }
        }
        return false;
    }

    /// <summary>
    /// Consumes the oldest message in a cell without an owner, if it is in front of a position, with the same exchange as a commit.
    /// </summary>
    public bool TryDropBefore(long position)
    {
        while (cursor.HasLeases
            && TryPeekOldest(includeDead: true, dueOnly: false, out LeaseCell oldest)
            && oldest.Position < position)
        {
            if (TMem.CompareExchange(
                ref file.Message(oldest.Number), SubscriptionFormat.Freed(oldest.Message), oldest.Message) == oldest.Message)
            {
                control.Room.NotifyWaiters<TMem>();
                return true;
            }
        }
        return false;
    }

    /// <summary>Whether the next message is to be delivered later.</summary>
    public bool IsDelayed => TMem.Load(ref file.Returned) is var mark && mark != 0 && !IsOver(mark);

    /// <summary>Whether a lease is still valid, or its message is just becoming a dead letter.</summary>
    public bool IsOpen(in LeaseToken lease) =>
        TMem.Load(ref file.Message(lease.Cell)) is var message
        && SubscriptionFormat.InState(message, LeaseState.Leased) == lease.Message
        && SubscriptionFormat.State(message).IsInFlight();
}
