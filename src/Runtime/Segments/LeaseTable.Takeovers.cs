namespace BlitQueue.Segments;

/// <content>Messages that stand in cells and are to be delivered again: given back, or left by the dead.</content>
internal sealed partial class LeaseTable<TMem>
{
    private bool TryTakeOldest(bool includeDead, out HeldLease lease)
    {
        for (;;)
        {
            int oldest = FindOldest(includeDead);
            if (oldest == 0)
            {
                lease = default;
                return false;
            }
            if (TryTakeOver(oldest, out lease))
            {
                return true;
            }
        }
    }

    private int FindOldest(bool includeDead)
    {
        // Cleared, with a full fence, before the look: what is given back during it sets the mark again.
        long mark = TMem.Load(ref file.Returned);
        TMem.CompareExchange(ref file.Returned, 0, IsOver(mark) ? mark : 1);
        int oldest = 0, waiting = 0;
        long oldestPosition = long.MaxValue, firstDue = long.MaxValue;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long message = TMem.Load(ref file.Message(cell));
            long owner = TMem.Load(ref file.Owner(cell));
            bool free = owner == 0
                ? SubscriptionFormat.State(message) == LeaseState.Returned
                : includeDead && (self.IsAlive<TMem>(owner) ? IsOverdue(cell, message) : SettleDead(cell, owner));
            if (free && !IsDue(cell, message))
            {
                firstDue = Math.Min(firstDue, TMem.Load(ref file.LeasedAt(cell)));
            }
            else if (free)
            {
                waiting++;
                if (SubscriptionFormat.MessagePosition(message) < oldestPosition)
                {
                    (oldest, oldestPosition) = (cell, SubscriptionFormat.MessagePosition(message));
                }
            }
        }
        if (firstDue != long.MaxValue)
        {
            MarkReturned(firstDue);
        }
        if (waiting > 1)
        {
            TMem.Store(ref file.Returned, 1);
            // What the dead held comes before later messages too: with more of it there, the next call need not be patient.
            _lastLook = includeDead ? 0 : _lastLook;
        }
        return oldest;
    }

    // What a dead owner's cell means: true when it holds a message, which is then to be delivered again.
    private bool SettleDead(int cell, long owner)
    {
        cursor.ConfirmClaim(TMem.Load(ref file.Next));
        long message = TMem.Load(ref file.Message(cell));
        if (SubscriptionFormat.State(message) is LeaseState.Leased or LeaseState.Returned or LeaseState.Burying or LeaseState.Committing)
        {
            return true;
        }
        // None, or a claim that did not succeed: the cell alone is to be freed.
        if (TMem.CompareExchange(ref file.Owner(cell), _me, owner) == owner)
        {
            FreeCell(cell);
        }
        return false;
    }

    private bool TryTakeOver(int cell, out HeldLease lease)
    {
        lease = default;
        long owner = TMem.Load(ref file.Owner(cell)), seen = TMem.Load(ref file.Message(cell));
        bool isFree = owner == 0 || !self.IsAlive<TMem>(owner) || IsOverdue(cell, seen);
        bool consumed = isFree && IsConsumed(cell, seen);
        if (!isFree || TMem.CompareExchange(ref file.Owner(cell), _me, owner) != owner)
        {
            return false;
        }
        long message = TMem.Load(ref file.Message(cell));
        LeaseState state = SubscriptionFormat.State(message);
        if (state == LeaseState.Committing)
        {
            if (!TryTakeBack(cell, owner, message, consumed))
            {
                return false;
            }
            state = LeaseState.Leased;
        }
        if (state is not (LeaseState.Leased or LeaseState.Returned or LeaseState.Burying))
        {
            ReleaseCell(cell);
            return false;
        }
        long due = state == LeaseState.Returned ? TMem.Load(ref file.LeasedAt(cell)) : 0;
        if (!IsOver(due))
        {
            // Another consumer took it meanwhile, and gave it back for later.
            ReleaseCell(cell);
            MarkReturned(due);
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseTakenOver);
        long position = SubscriptionFormat.MessagePosition(message);
        int attempt = TMem.Load(ref file.Attempt(cell)) + 1;
        TMem.Store(ref file.Attempt(cell), attempt);
        TMem.Store(ref file.LeasedAt(cell), TMem.Milliseconds);
        // What was being set aside stays so until it is known whether its dead letter was written.
        if (state != LeaseState.Burying)
        {
            TMem.Store(ref file.Message(cell), SubscriptionFormat.MessageWord(position, LeaseState.Leased));
        }
        lease = new HeldLease(cell, position, attempt, WasBeingBuried: state == LeaseState.Burying, due);
        return true;
    }

    private bool IsOverdue(int cell, long message) =>
        visibility is { } limit
        && SubscriptionFormat.State(message) == LeaseState.Leased
        && TMem.Milliseconds - TMem.Load(ref file.LeasedAt(cell)) > limit.TotalMilliseconds;
}
