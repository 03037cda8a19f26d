namespace BlitQueue.Log;

// For the only consumer of a subscription: what was given back holds back everything behind it.
internal sealed partial class LeaseTable<TMem>
{
    // Nobody consumes beside this one, so who is dead was so when it came.
    private bool _looksForDead = true;

    /// <summary>Takes the next message in the strict order.</summary>
    /// <returns>false when there is none, or when it is to be delivered later.</returns>
    public bool TryTakeInOrder(out LeaseToken lease)
    {
        AnnounceLeases();
        return TryTakeGivenBack(out lease, out bool isDelayed) || (!isDelayed && TryTakeNext(out lease));
    }

    /// <summary>Takes the oldest message that was given back, or that a dead consumer held.</summary>
    /// <param name="lease">The message.</param>
    /// <param name="isDelayed">Whether there is one that is to be delivered later.</param>
    public bool TryTakeGivenBack(out LeaseToken lease, out bool isDelayed)
    {
        (lease, isDelayed) = (default, false);
        while (_looksForDead || TMem.Load(ref file.Returned) != 0)
        {
            if (!TryPeekOldest(_looksForDead, dueOnly: false, out LeaseCell oldest))
            {
                _looksForDead = false;
                // Nobody else gives anything back meanwhile.
                TMem.Store(ref file.Returned, 0);
                return false;
            }
            if (!IsOver(oldest.Due))
            {
                isDelayed = true;
                // Behind the oldest there may be others that were to come earlier, and have to wait for it.
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
    /// Consumes the oldest message that stands in a cell without an owner, if it is before a position: by the one exchange that decides.
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

    /// <summary>Whether a lease still stands, or its message is just being set aside.</summary>
    public bool IsOpen(in LeaseToken lease) =>
        TMem.Load(ref file.Message(lease.Cell)) is var message
        && SubscriptionFormat.InState(message, LeaseState.Leased) == lease.Message
        && SubscriptionFormat.State(message) is LeaseState.Leased or LeaseState.DeadLettering or LeaseState.Committing;
}
