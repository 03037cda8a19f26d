namespace BlitQueue.Log;

internal sealed partial class LeaseTable<TMem>
{
    // How long the known owners count as all owners of leases, as long as no message is taken: milliseconds, and looks where these are
    // rare, as in a process that waits for thousands of queues. To read all cells of one takes longer than all else that a look does.
    private const int OwnersKnownFor = 1000, LooksOwnersKnownFor = 3;

    private readonly List<long> _owners = [];
    private long _ownersAt = -OwnersKnownFor;
    private long _ownersNext;
    private int _looksSinceOwners;

    /// <summary>
    /// Whether there may be a message in a cell whose holder is dead or has it for too long, or that has no holder. Takes nothing. A thread
    /// calls it ten times a second on behalf of waiting calls, so it checks the owners that it has seen and reads all cells only now and
    /// then. One caller at a time.
    /// </summary>
    public bool HasOrphan()
    {
        long next = TMem.Load(ref file.Next);
        long now = TMem.Milliseconds;
        if (visibility is not null || next != _ownersNext
            || (++_looksSinceOwners >= LooksOwnersKnownFor && now - _ownersAt >= OwnersKnownFor))
        {
            (_ownersNext, _ownersAt, _looksSinceOwners) = (next, now, 0);
            if (FindOwners())
            {
                return true;
            }
        }
        foreach (long owner in _owners)
        {
            if (!self.IsAlive<TMem>(owner))
            {
                // The next look reads all cells again.
                (_ownersAt, _looksSinceOwners) = (now - OwnersKnownFor, LooksOwnersKnownFor);
                return true;
            }
        }
        return false;
    }

    // True if a holder has had a message for too long, or a message has no holder and waits: the process that gave it back, or was about to
    // take it, may have died before it set the mark.
    private bool FindOwners()
    {
        _owners.Clear();
        bool isAnyFree = false;
        // Most cells in use have the same owner as the cell before.
        long last = _me;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            if (SubscriptionFormat.State(TMem.Load(ref file.Message(cell))) == LeaseState.None)
            {
                continue;
            }
            LeaseCell seen = file.Look<TMem>(cell);
            long owner = seen.Holder;
            isAnyFree |= owner == 0 ? IsDue(seen, out _) : IsOverdue(seen);
            if (owner != 0 && owner != last && !_owners.Contains(owner))
            {
                _owners.Add(last = owner);
            }
        }
        _owners.Remove(_me);
        return isAnyFree;
    }

    /// <summary>
    /// Finds, without taking it, the oldest message that was given back; also those of dead holders, if <paramref name="includeDead"/>;
    /// without those that are to be delivered later, if <paramref name="dueOnly"/>. The message is there as long as its cell does not
    /// change.
    /// </summary>
    public bool TryPeekOldest(bool includeDead, bool dueOnly, out LeaseCell oldest, long behind = 0)
    {
        cursor.ConfirmClaim(TMem.Load(ref file.Next));
        oldest = default;
        var asked = new Answers(self, stackalloc long[Answers.Most]);
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

    /// <summary>Whether a cell was unchanged after its message was read: a full fence orders the reading before this look.</summary>
    public bool StillSays(int cell, long message) => TMem.CompareExchange(ref file.Message(cell), message, message) == message;

    private bool WaitsToBeTaken(in LeaseCell seen, bool includeDead, ref Answers asked) =>
        seen.State is not (LeaseState.None or LeaseState.Claiming)
        && (seen.State == LeaseState.Returned || includeDead)
        && (seen.Holder == 0 || !asked.IsAlive(seen.Holder))
        && IsConsumed(seen, ref asked) == false;

    // If the queue does not tell of one letter, the look does not ask it about another: each question may wait for the append lock.
    private bool? IsConsumed(in LeaseCell seen, ref Answers asked)
    {
        if (seen.State != LeaseState.Requeueing)
        {
            return IsConsumed(seen);
        }
        bool? isConsumed = asked.IsQueueSilent ? null : IsConsumed(seen);
        asked.IsQueueSilent = isConsumed is null;
        return isConsumed;
    }

    /// <summary>
    /// What one look at all cells has been told, so that it asks once, though thousands of cells may have one owner: which participants are
    /// alive, and whether the queue tells which letters have become messages.
    /// </summary>
    private ref struct Answers(Participant self, Span<long> alive)
    {
        /// <summary>How many living participants are remembered; if there are more, the kernel is asked again for some of them.</summary>
        public const int Most = 16;

        private readonly Span<long> _alive = alive;
        private int _count;
        private long _dead;

        public bool IsQueueSilent { get; set; }

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
