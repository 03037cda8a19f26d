using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// One participant's use of a subscription's lease cells: takes messages without consuming them, gives them back, and takes over messages
/// that dead holders had, that were given back, or, with a visibility timeout, that a holder, alive or not, has had for longer.
/// </summary>
/// <remarks>
/// Invariant: one word of a cell, the message word, decides about its message. The word has the position, the state and a tag, which
/// changes whenever the cell or its message gets another holder. Each change is one compare-exchange of that word, so of several
/// participants that try, one succeeds. The owner word names a tag, too: if it is not the message word's tag, the owner has no lease, and
/// the owner word need not be cleared.
/// </remarks>
internal sealed partial class LeaseTable<TMem>(
    SubscriptionFile file, Cursor<TMem> cursor, ControlFile control, Participant self, ICommittedTransactions decisions,
    TimeSpan? visibility = null, Func<long>? clock = null, RequeueDecision? isRequeued = null)
    where TMem : struct, ISharedMemory
{
    // How long a dead consumer's message may stay unnoticed by consumers that find nothing else, and by those that do; milliseconds of a
    // clock that advances in ticks of 1 to 16 ms, so the shorter time is one tick.
    private const int IdleLook = 1, BusyLook = 50;

    // After each seek the search for a free cell begins so many cells further: far from those of earlier seeks, and at the same cell again
    // only after as many seeks as there are cells.
    private const int CellsPerSeek = 1264;

    private readonly long _me = self.OwnerWord;
    private int _lastCell = (int)(self.OwnerWord * 61 % SubscriptionFormat.Cells);

    // When the last look at all cells that found nothing began, and how many marks had been cleared by then: a message may be marked in a
    // cell that the look has already read.
    private long _emptyAt;
    private int _emptyMarks, _marks;

    // Milliseconds since the system's start, by the handle's own clock if it has one: for delays and time-outs.
    private long Now => clock is null ? TMem.Milliseconds : clock();

    // The due time of what this handle put off last for want of room on the disk, and when that is over by the system's clock.
    private long _roomDue, _roomOver;

    // For each cell: the message word of the last lease that this handle took there and has not ended. That lease is valid, or was lost.
    private long[]? _own;

    /// <summary>Takes the next message without consuming it.</summary>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueException">There is one, and all lease cells are in use.</exception>
    public bool TryTake(out LeaseToken lease)
    {
        AnnounceLeases();
        return TryTakeEarlier(out lease) || TryTakeNext(out lease) || TryTakeOrphan(out lease);
    }

    // Takes a message that was never delivered.
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
        // Next may have named the cell since the message was found: look again, now that this participant has the cell.
        if (cursor.IsStillNext(found) && cursor.TryLease(found, cell, tag, Now))
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

    /// <summary>
    /// As <see cref="TryTakeEarlier"/>, for a consumer that found nothing else; with a longer interval, for one that did.
    /// </summary>
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

    /// <summary>Whether there may be a message that was given back and may be delivered now.</summary>
    public bool HasReturned => TMem.Load(ref file.Returned) is var mark && mark != 0 && IsOver(mark);

    // The mark is never cleared: from the first lease on, consumers look for leases.
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

    // Acquires a cell without a message, for a lease with the tag; until then no other participant changes the cell. After each seek it is
    // another cell: if next became the same word as before the seek, a process that had read it then, and confirmed that old claim, would
    // move next before the new claim is confirmed.
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
        throw NoCell();
    }

    private QueueException NoCell()
    {
        int waiting = 0;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            waiting += SubscriptionFormat.State(TMem.Load(ref file.Message(cell))) == LeaseState.Returned ? 1 : 0;
        }
        string what = waiting == 0
            ? "Commit or abandon some before taking more."
            : $"{waiting} of them are of messages that wait for a retry, or for room on the disk for their dead letters. Make room, wait, "
                + "or commit or abandon others before taking more.";
        return new QueueException(
            $"{file.Directory}: all {SubscriptionFormat.Cells} leases of the subscription '{file.Name}' are in use. {what}")
        { Reason = QueueError.TooManyLeases, Path = file.Directory };
    }

    private bool TryTakeCell(in LeaseCell seen, out int tag)
    {
        tag = SubscriptionFormat.TagAfter(seen.Tag, 1);
        // The words were not read at one moment, and the owner may be a living one with a later tag: so the message word is read again
        // before the owner word is exchanged. While the owner word does not change, no other participant changes a cell without a message.
        return seen.State == LeaseState.None && (seen.Holder == 0 || !self.IsAlive<TMem>(seen.Holder))
            && TMem.Load(ref file.Message(seen.Number)) == seen.Message && TryOwn(seen, tag);
    }

    // The first of the two steps of taking a message. Until the message word has the tag, too, the owner holds nothing.
    private bool TryOwn(in LeaseCell seen, int tag) =>
        TMem.CompareExchange(ref file.Owner(seen.Number), SubscriptionFormat.CellOwnerWord(_me, tag), seen.Owner) == seen.Owner;

    // Puts the old owner word back: it may be a dead participant's, which others need to find out what the cell's state means.
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

    // If another lease of the cell is still noted, this handle has not ended it: it was lost. Another thread may be noting its own lease of
    // the cell right now.
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

    // Tags repeat after 512 leases of a message: so an old lease is told from the current one by its holder.
    private bool IsMine(in LeaseToken lease) =>
        TMem.Load(ref file.Owner(lease.Cell)) == SubscriptionFormat.CellOwnerWord(_me, lease.Tag);

    private bool TryEnd(in LeaseToken lease, long message)
    {
        if (!IsMine(lease))
        {
            return false;
        }
        // Forgets the lease first, because afterwards the cell may have another one.
        ref long own = ref Own(lease.Cell);
        bool isOwn = own == lease.Message;
        if (isOwn)
        {
            own = 0;
        }
        long was = TMem.CompareExchange(ref file.Message(lease.Cell), message, lease.Message);
        // A consumer that takes the message over first increments the tag by two; another thread of this handle that ends the lease right
        // now leaves the tag as it is, or increments it by one.
        if (isOwn && SubscriptionFormat.Tag(was) != lease.Tag && SubscriptionFormat.Tag(was) != SubscriptionFormat.TagAfter(lease.Tag, 1))
        {
            NoteLost(lease.Cell, lease.Message);
        }
        return was == lease.Message;
    }

    private ref long Own(int cell)
        => ref LazyInitializer.EnsureInitialized(ref _own, static () => new long[SubscriptionFormat.Cells + 1])[cell];
}
