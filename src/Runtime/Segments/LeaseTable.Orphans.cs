namespace BlitQueue.Segments;

internal sealed partial class LeaseTable<TMem>
{
    // So long who is known to hold leases is taken for all who do, while no message is handed out; milliseconds.
    private const int OwnersKnownFor = 1000;

    private readonly List<long> _owners = [];
    private long _ownersAt = -OwnersKnownFor;
    private long _ownersNext;

    /// <summary>
    /// Whether a dead consumer may hold a message, or a live one for too long. Takes nothing: for a thread that looks on behalf of others, ten times a second, so
    /// it asks after those who were seen with leases and reads all cells only now and then. One caller at a time.
    /// </summary>
    public bool HasOrphan()
    {
        long next = TMem.Load(ref file.Next);
        long now = TMem.Milliseconds;
        if (next != _ownersNext || now - _ownersAt >= OwnersKnownFor)
        {
            FindOwners();
            (_ownersNext, _ownersAt) = (next, now);
        }
        if (visibility is not null && IsAnyOverdue())
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
            if (IsOverdue(cell, TMem.Load(ref file.Message(cell))))
            {
                return true;
            }
        }
        return false;
    }

    private void FindOwners()
    {
        _owners.Clear();
        // Most cells in use are one consumer's.
        long last = _me;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long owner = TMem.Load(ref file.Owner(cell));
            if (owner != 0 && owner != last && !_owners.Contains(owner))
            {
                _owners.Add(last = owner);
            }
        }
        _owners.Remove(_me);
    }
}
