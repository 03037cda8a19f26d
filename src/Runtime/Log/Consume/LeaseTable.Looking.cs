namespace BlitQueue.Log;

internal sealed partial class LeaseTable<TMem>
{
    // So long who is known to hold leases is taken for all who do, while no message is handed out; milliseconds.
    private const int OwnersKnownFor = 1000;

    private readonly List<long> _owners = [];
    private long _ownersAt = -OwnersKnownFor;
    private long _ownersNext;

    /// <summary>
    /// Whether a dead consumer may hold a message, a live one for too long, or nobody. Takes nothing: for a thread that
    /// looks on behalf of others, ten times a second, so it asks after those who were seen with leases and reads all cells
    /// only now and then. One caller at a time.
    /// </summary>
    public bool HasOrphan()
    {
        long next = TMem.Load(ref file.Next);
        long now = TMem.Milliseconds;
        if (visibility is not null || next != _ownersNext || now - _ownersAt >= OwnersKnownFor)
        {
            (_ownersNext, _ownersAt) = (next, now);
            if (FindOwners())
            {
                return true;
            }
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

    // True when a message was held for too long, or is nobody's and waits: the process that gave it back, or was about to take it,
    // may have died before the mark said so.
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
            isAnyFree |= owner == 0 ? IsOver(seen.Due) : IsOverdue(seen);
            if (owner != 0 && owner != last && !_owners.Contains(owner))
            {
                _owners.Add(last = owner);
            }
        }
        _owners.Remove(_me);
        return isAnyFree;
    }

    /// <summary>
    /// Finds the oldest message that was given back, or is held by the dead where those count, or is to be delivered later where that does,
    /// without taking it. While the cell says what it said then, the message is there.
    /// </summary>
    public bool TryPeekOldest(bool includeDead, bool dueOnly, out LeaseCell oldest, long behind = 0)
    {
        cursor.ConfirmClaim(TMem.Load(ref file.Next));
        oldest = default;
        var asked = new OwnersAsked(self, stackalloc long[OwnersAsked.Most]);
        for (int candidate = 1; candidate <= SubscriptionFormat.Cells; candidate++)
        {
            if (SubscriptionFormat.State(TMem.Load(ref file.Message(candidate))) is not (LeaseState.None or LeaseState.Claiming)
                && file.Look<TMem>(candidate) is var seen && WaitsToBeTaken(seen, includeDead, ref asked)
                && (!dueOnly || IsOver(seen.Due)) && seen.Position > behind
                && (oldest.Number == 0 || seen.Position < oldest.Position))
            {
                oldest = seen;
            }
        }
        return oldest.Number != 0;
    }

    /// <summary>Whether a cell said the same until after its message was read: with a full fence.</summary>
    public bool StillSays(int cell, long message) => TMem.CompareExchange(ref file.Message(cell), message, message) == message;

    private bool WaitsToBeTaken(in LeaseCell seen, bool includeDead, ref OwnersAsked asked) =>
        seen.State is not (LeaseState.None or LeaseState.Claiming)
        && (seen.State == LeaseState.Returned || includeDead)
        && (seen.Holder == 0 || !asked.IsAlive(seen.Holder))
        && !(seen.State == LeaseState.Committing && decisions.Consumes(file.Name, seen.Number, seen.Message));

    /// <summary>
    /// Which participants live, asked of the kernel once for each within one look at all cells, which may be thousands of one consumer's.
    /// </summary>
    private ref struct OwnersAsked(Participant self, Span<long> alive)
    {
        /// <summary>How many are remembered; with more that live some are asked after again.</summary>
        public const int Most = 16;

        private readonly Span<long> _alive = alive;
        private int _count;
        private long _dead;

        public bool IsAlive(long owner)
        {
            if (owner == _dead)
            {
                return false;
            }
            if (_alive[..Math.Min(_count, Most)].Contains(owner))
            {
                return true;
            }
            if (!self.IsAlive<TMem>(owner))
            {
                _dead = owner;
                return false;
            }
            _alive[_count++ % Most] = owner;
            return true;
        }
    }
}
