using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// The lease cells of a subscription as one participant uses them: takes messages without consuming them, gives them back, and takes over
/// what the dead held and what was given back.
/// </summary>
/// <param name="file">The subscription.</param>
/// <param name="cursor">Its cursor.</param>
/// <param name="control">The queue's control file.</param>
/// <param name="self">This participant.</param>
/// <param name="transactions">What says whether a dead consumer's transaction was committed.</param>
/// <param name="visibility">How long a lease may last before others take it, its holder alive or not; null for ever.</param>
/// <param name="ignoresDelays">Whether what is to be delivered later is taken at once: by who does not deliver it.</param>
internal sealed partial class LeaseTable<TMem>(
    SubscriptionFile file, Cursor<TMem> cursor, ControlFile control, Participant self, TransactionLink transactions,
    TimeSpan? visibility = null, bool ignoresDelays = false)
    where TMem : struct, ISharedMemory
{
    // How long a message of a dead consumer may stay unnoticed by those that find nothing else, and by those that do; milliseconds.
    private const int IdleLook = 1, BusyLook = 50;

    private readonly long _me = self.OwnerWord;
    private int _lastCell = (int)(self.OwnerWord * 61 % SubscriptionFormat.Cells);
    private long _lastLook;

    /// <summary>Takes the next message without consuming it.</summary>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueException">All lease cells are in use.</exception>
    public bool TryTake(out HeldLease lease)
    {
        AnnounceLeases();
        return TryTakeEarlier(out lease) || TryTakeNext(out lease) || TryTakeOrphan(IdleLook, out lease);
    }

    // One that was never delivered.
    private bool TryTakeNext(out HeldLease lease)
    {
        lease = default;
        int cell = TakeCell();
        try
        {
            while (cursor.TryFindWhole(out FoundRecord found))
            {
                if (cursor.TryLease(found, cell))
                {
                    lease = new HeldLease(cell, found.Position, 1, HasProperties: found.HasProperties);
                    return true;
                }
            }
        }
        catch
        {
            FreeCell(cell);
            throw;
        }
        FreeCell(cell);
        return false;
    }

    /// <summary>Takes the message that was found, without consuming it.</summary>
    /// <returns>false when another consumer has taken it.</returns>
    /// <exception cref="QueueException">All lease cells are in use.</exception>
    public bool TryTake(in FoundRecord found, out HeldLease lease)
    {
        AnnounceLeases();
        int cell = TakeCell();
        lease = new HeldLease(cell, found.Position, 1, HasProperties: found.HasProperties);
        if (cursor.TryLease(found, cell))
        {
            return true;
        }
        FreeCell(cell);
        return false;
    }

    /// <summary>
    /// Takes a message that comes before those never delivered: one given back, or, looked for now and then, one that a dead consumer held.
    /// </summary>
    public bool TryTakeEarlier(out HeldLease lease)
    {
        if (HasReturned && TryTakeOldest(includeDead: false, out lease))
        {
            return true;
        }
        return TryTakeOrphan(BusyLook, out lease);
    }

    /// <summary>Likewise, for a consumer that found nothing else.</summary>
    public bool TryTakeOrphan(out HeldLease lease) => TryTakeOrphan(IdleLook, out lease);

    private bool TryTakeOrphan(int interval, out HeldLease lease)
    {
        lease = default;
        long now = TMem.Milliseconds;
        if (now - _lastLook < interval)
        {
            return false;
        }
        _lastLook = now;
        return TryTakeOldest(includeDead: true, out lease);
    }

    /// <summary>Whether a message may have been given back that may be delivered now.</summary>
    public bool HasReturned => TMem.Load(ref file.Returned) is var mark && mark != 0 && IsOver(mark);

    /// <summary>Consumes the leased message.</summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryCommit(in HeldLease lease)
    {
        if (!TryEnd(lease, 0))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseCommitted);
        ReleaseCell(lease.Cell);
        control.Room.WakeSleepers<TMem>();
        return true;
    }

    /// <summary>Begins to set the leased message aside. Then its dead letter is written, and <see cref="EndBurial"/> ends the lease.</summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryBeginBurial(in HeldLease lease)
    {
        if (!TryEnd(lease, SubscriptionFormat.MessageWord(lease.Position, LeaseState.Burying)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseBurying);
        return true;
    }

    /// <summary>Leases the message as before: no dead letter was written.</summary>
    public void CancelBurial(in HeldLease lease) =>
        TMem.Store(ref file.Message(lease.Cell), SubscriptionFormat.MessageWord(lease.Position, LeaseState.Leased));

    /// <summary>Consumes the message that was set aside.</summary>
    public void EndBurial(in HeldLease lease)
    {
        FailPoint.Reach(ProtocolStep.LeaseBuried);
        TMem.Store(ref file.Message(lease.Cell), 0);
        ReleaseCell(lease.Cell);
        control.Room.WakeSleepers<TMem>();
    }

    /// <summary>Gives the leased message back: the next consumer takes it, before later ones.</summary>
    /// <param name="lease">The lease.</param>
    /// <param name="due">From when on, milliseconds since the system's start; 0 at once.</param>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryAbandon(in HeldLease lease, long due = 0)
    {
        if (due != 0 && IsHeld(lease))
        {
            // Where another consumer takes over just now, its lease lasts longer by the delay before a third may take it.
            TMem.Store(ref file.LeasedAt(lease.Cell), due);
        }
        if (!TryEnd(lease, SubscriptionFormat.MessageWord(lease.Position, LeaseState.Returned)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseReturned);
        ReleaseCell(lease.Cell);
        MarkReturned(due);
        return true;
    }

    /// <summary>Gives back a message that was taken over and not delivered: the attempt does not count.</summary>
    public void TryGiveBackUnread(in HeldLease lease)
    {
        TMem.Store(ref file.Attempt(lease.Cell), lease.Attempt - 1);
        TryAbandon(lease with { Attempt = lease.Attempt - 1 }, lease.Due);
    }

    /// <summary>Whether the lease still stands.</summary>
    public bool IsHeld(in HeldLease lease) =>
        TMem.Load(ref file.Message(lease.Cell)) == SubscriptionFormat.MessageWord(lease.Position, LeaseState.Leased)
        && TMem.Load(ref file.Owner(lease.Cell)) == _me
        && TMem.Load(ref file.Attempt(lease.Cell)) == lease.Attempt;

    private bool TryEnd(in HeldLease lease, long messageWord)
    {
        long leased = SubscriptionFormat.MessageWord(lease.Position, LeaseState.Leased);
        return IsHeld(lease) && TMem.CompareExchange(ref file.Message(lease.Cell), messageWord, leased) == leased;
    }

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

    private int TakeCell()
    {
        int start = _lastCell;
        for (int i = 0; i < SubscriptionFormat.Cells; i++)
        {
            int cell = ((start + i) % SubscriptionFormat.Cells) + 1;
            if (TMem.Load(ref file.Owner(cell)) == 0
                && TMem.Load(ref file.Message(cell)) == 0
                && TMem.CompareExchange(ref file.Owner(cell), _me, 0) == 0)
            {
                if (TMem.Load(ref file.Message(cell)) == 0)
                {
                    FailPoint.Reach(ProtocolStep.LeaseCellTaken);
                    _lastCell = cell - 1;
                    return cell;
                }
                ReleaseCell(cell);
            }
        }
        throw new QueueException(
            $"All {SubscriptionFormat.Cells} leases of the subscription are in use. Commit or abandon some before taking more.");
    }

    private void FreeCell(int cell)
    {
        TMem.Store(ref file.Message(cell), 0);
        ReleaseCell(cell);
    }

    private void ReleaseCell(int cell) => TMem.Store(ref file.Owner(cell), 0);
}
