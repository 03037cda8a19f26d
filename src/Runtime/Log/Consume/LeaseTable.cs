using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The lease cells of a subscription as one participant uses them: takes messages without consuming them, gives them back, and takes over
/// what the dead held, what was given back, and, where visibility has an end, what a holder, alive or not, has had for longer.
/// </summary>
/// <remarks>
/// One word decides what becomes of a message in a cell: its message word, which bears the position, the state and a tag that is another
/// one each time the cell or its message changes hands. All that may happen to it is one exchange of that word for exactly what was seen,
/// so of several that try one succeeds. The owner word says for which tag it is: an owner of another tag owns nothing, and need not be
/// freed.
/// </remarks>
internal sealed partial class LeaseTable<TMem>(
    SubscriptionFile file, Cursor<TMem> cursor, ControlFile control, Participant self, ICommittedTransactions decisions,
    TimeSpan? visibility = null)
    where TMem : struct, ISharedMemory
{
    // How long a message of a dead consumer may stay unnoticed by those that find nothing else, and by those that do; milliseconds of a
    // clock that moves with the system's ticks, 1 to 16 ms each, so the shorter is one tick.
    private const int IdleLook = 1, BusyLook = 50;

    // Nowhere near the cells of the seeks before, and the same only after as many seeks as there are cells.
    private const int CellsPerSeek = 1264;

    private readonly long _me = self.OwnerWord;
    private int _lastCell = (int)(self.OwnerWord * 61 % SubscriptionFormat.Cells);

    // When the last look at all cells began that found nothing, and how many marks had been cleared then: what
    // one marks, another look may have passed.
    private long _emptyAt;
    private int _emptyMarks, _marks;

    // The message word of each cell's last lease that was taken here, until it is ended here: it stands, or it was lost.
    private long[]? _own;

    /// <summary>Takes the next message without consuming it.</summary>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueException">There is one, and all lease cells are in use.</exception>
    public bool TryTake(out LeaseToken lease)
    {
        AnnounceLeases();
        return TryTakeEarlier(out lease) || TryTakeNext(out lease) || TryTakeOrphan(out lease);
    }

    // One that was never delivered.
    private bool TryTakeNext(out LeaseToken lease)
    {
        while (cursor.TryFindWhole(out RecordRef found))
        {
            if (TryTake(found, out lease))
            {
                return true;
            }
        }
        lease = default;
        return false;
    }

    /// <summary>Takes the message that was found, without consuming it.</summary>
    /// <returns>false when another consumer has taken it.</returns>
    /// <exception cref="QueueException">All lease cells are in use.</exception>
    public bool TryTake(in RecordRef found, out LeaseToken lease)
    {
        AnnounceLeases();
        int cell = AcquireCell(out int tag);
        // Next may have named the cell since the message was found: another look, now that nobody else has the cell.
        if (cursor.IsStillNext(found) && cursor.TryLease(found, cell, tag))
        {
            lease = new LeaseToken(
                cell, SubscriptionFormat.MessageWord(found.Position, LeaseState.Leased, tag), 1, HasProperties: found.HasProperties);
            NoteOwn(lease);
            return true;
        }
        // It is this participant's, and holds no message.
        TMem.Store(ref file.Message(cell), SubscriptionFormat.MessageWord(0, LeaseState.None, tag));
        lease = default;
        return false;
    }

    /// <summary>
    /// Takes a message that comes before those never delivered: one given back, or, looked for now and then, one that a dead consumer held.
    /// </summary>
    public bool TryTakeEarlier(out LeaseToken lease)
    {
        if (HasReturned && TryTakeOldest(includeDead: false, out lease))
        {
            return true;
        }
        return TryTakeOrphan(out lease, BusyLook);
    }

    /// <summary>As <see cref="TryTakeEarlier"/>, for a consumer that found nothing else, or by and by for one that did.</summary>
    public bool TryTakeOrphan(out LeaseToken lease, int interval = IdleLook)
    {
        long now = TMem.Milliseconds;
        if (now - _emptyAt < interval && (interval == BusyLook || _emptyMarks == _marks))
        {
            lease = default;
            return false;
        }
        return TryTakeOldest(includeDead: true, out lease, now);
    }

    /// <summary>Whether a message may have been given back that may be delivered now.</summary>
    public bool HasReturned => TMem.Load(ref file.Returned) is var mark && mark != 0 && IsOver(mark);

    // Sticky: a queue that has seen leases is looked at for them from then on.
    private void AnnounceLeases()
    {
        if (TMem.Load(ref file.Leases) == 0)
        {
            TMem.Store(ref file.Leases, 1);
        }
        if (!file.KnowsLeases)
        {
            file.AnnounceLease();
        }
    }

    // A cell without a message, for a lease of the tag; until then nobody else changes it. After each seek another one:
    // were next to become the same word again, a process that had seen it before, and confirmed the claim of then, would move it on in
    // front of the new claim's confirmation.
    private int AcquireCell(out int tag)
    {
        int start = _lastCell, moved = file.Seeks<TMem>() * CellsPerSeek;
        for (int i = 0; i < SubscriptionFormat.Cells; i++)
        {
            int index = (start + i) % SubscriptionFormat.Cells, cell = ((index + moved) % SubscriptionFormat.Cells) + 1;
            if (SubscriptionFormat.State(TMem.Load(ref file.Message(cell))) == LeaseState.None
                && TryTakeCell(file.Look<TMem>(cell), out tag))
            {
                FailPoint.Reach(ProtocolStep.LeaseCellTaken);
                _lastCell = index;
                return cell;
            }
        }
        throw new QueueException(
            $"{file.Directory}: all {SubscriptionFormat.Cells} leases of the subscription '{file.Name}' are in use. Commit or abandon some "
            + "before taking more.")
        { Reason = QueueError.TooManyLeases, Path = file.Directory };
    }

    private bool TryTakeCell(in LeaseCell seen, out int tag)
    {
        tag = SubscriptionFormat.TagAfter(seen.Tag, 1);
        // The words were not read at once: the message word again, before the owner's is exchanged, which may be that of a living one with
        // a later tag. While the owner word stays the same, nobody else changes a cell without a message.
        return seen.State == LeaseState.None && (seen.Holder == 0 || !self.IsAlive<TMem>(seen.Holder))
            && TMem.Load(ref file.Message(seen.Number)) == seen.Message && TryOwn(seen, tag);
    }

    // The first of the two steps of taking. Until the message word has the tag, it makes nobody the holder of anything.
    private bool TryOwn(in LeaseCell seen, int tag) =>
        TMem.CompareExchange(ref file.Owner(seen.Number), SubscriptionFormat.CellOwnerWord(_me, tag), seen.Owner) == seen.Owner;

    // What was there may be the name of a dead one by which others find out what its cell means.
    private bool Disown(in LeaseCell seen, int tag)
    {
        TMem.CompareExchange(ref file.Owner(seen.Number), seen.Owner, SubscriptionFormat.CellOwnerWord(_me, tag));
        return false;
    }

    /// <summary>Consumes the leased message.</summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryCommit(in LeaseToken lease)
    {
        if (!TryEnd(lease, SubscriptionFormat.Freed(lease.Message)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseCommitted);
        control.Room.NotifyWaiters<TMem>();
        NoteEnded(lease);
        return true;
    }

    /// <summary>As <see cref="Cursor{TMem}.NoteEnded"/>, for a lease that was ended.</summary>
    public void NoteEnded(LeaseToken lease) => cursor.NoteEnded(lease.Position);

    // What is still kept of another lease of the cell was not ended here; another thread may have taken
    // the cell over just now, and keep its own.
    private void NoteOwn(in LeaseToken lease)
    {
        ref long own = ref Own(lease.Cell);
        for (long other = own; other != 0; other = own)
        {
            NoteLost(lease.Cell, other);
            if (MachineMemory.CompareExchange(ref own, lease.Message, other) == other)
            {
                return;
            }
        }
        own = lease.Message;
    }

    // Tags go round: a lease that was kept for 512 others of its message is told from the last by who has that.
    private bool IsMine(in LeaseToken lease) =>
        TMem.Load(ref file.Owner(lease.Cell)) == SubscriptionFormat.CellOwnerWord(_me, lease.Tag);

    private bool TryEnd(in LeaseToken lease, long message)
    {
        if (!IsMine(lease))
        {
            return false;
        }
        // Forgotten before: afterwards the cell may serve another lease.
        ref long own = ref Own(lease.Cell);
        bool isOwn = own == lease.Message;
        if (isOwn)
        {
            own = 0;
        }
        long was = TMem.CompareExchange(ref file.Message(lease.Cell), message, lease.Message);
        // A consumer that takes it over from its holder moves the tag on by two first; where another thread ends
        // it just now, it stays, or is one more.
        if (isOwn && SubscriptionFormat.Tag(was) != lease.Tag && SubscriptionFormat.Tag(was) != SubscriptionFormat.TagAfter(lease.Tag, 1))
        {
            NoteLost(lease.Cell, lease.Message);
        }
        return was == lease.Message;
    }

    private ref long Own(int cell)
        => ref LazyInitializer.EnsureInitialized(ref _own, static () => new long[SubscriptionFormat.Cells + 1])[cell];
}
