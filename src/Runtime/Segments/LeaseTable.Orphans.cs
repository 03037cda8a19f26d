namespace BlitQueue.Segments;

internal sealed partial class LeaseTable<TMem>
{
    // So long who is known to hold leases is taken for all who do, while no message is handed out; milliseconds.
    private const int OwnersKnownFor = 1000;

    private readonly List<long> _owners = [];
    private long _ownersAt = -OwnersKnownFor;
    private long _ownersNext;

    /// <summary>
    /// Whether a dead consumer may hold a message, a live one for too long, or nobody. Takes nothing: for a thread that looks on behalf of others, ten times
    /// a second, so it asks after those who were seen with leases and reads all cells only now and then. One caller at a time.
    /// </summary>
    public bool HasOrphan()
    {
        long next = TMem.Load(ref file.Next);
        long now = TMem.Milliseconds;
        bool isAnyFree = false;
        if (next != _ownersNext || now - _ownersAt >= OwnersKnownFor)
        {
            isAnyFree = FindOwners();
            (_ownersNext, _ownersAt) = (next, now);
        }
        if (isAnyFree || (visibility is not null && IsAnyOverdue()))
        {
            return true;
        }
        foreach (long owner in _owners)
        {
            if (!self.IsAlive<TMem>(owner))
            {
                // The next look finds out what is left of it.
                _ownersAt = now - OwnersKnownFor;
                return true;
            }
        }
        return false;
    }

    private bool IsAnyOverdue()
    {
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            if (SubscriptionFormat.State(TMem.Load(ref file.Message(cell))) != LeaseState.None && IsOverdue(file.Look<TMem>(cell)))
            {
                return true;
            }
        }
        return false;
    }

    // True when a message is nobody's and waits to be taken: who gave it back, or was about to take it, may have died before the mark said so.
    private bool FindOwners()
    {
        _owners.Clear();
        bool isAnyFree = false;
        // Most cells in use are one consumer's.
        long last = _me;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            if (SubscriptionFormat.State(TMem.Load(ref file.Message(cell))) == LeaseState.None)
            {
                continue;
            }
            LeaseCell seen = file.Look<TMem>(cell);
            long owner = seen.Holder;
            if (owner == 0)
            {
                isAnyFree |= IsOver(seen.Due);
            }
            else if (owner != last && !_owners.Contains(owner))
            {
                _owners.Add(last = owner);
            }
        }
        _owners.Remove(_me);
        return isAnyFree;
    }
}
