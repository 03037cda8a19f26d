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
/// <param name="visibility">How long a lease may last before others take it, its holder alive or not; null for ever.</param>
internal sealed partial class LeaseTable<TMem>(
    SubscriptionFile file, Cursor<TMem> cursor, ControlFile control, Participant self, TimeSpan? visibility = null)
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
        if (TryTakeEarlier(out lease))
        {
            return true;
        }
        int cell = TakeCell();
        try
        {
            while (cursor.TryFind(out FoundRecord found))
            {
                if (cursor.TryLease(found, cell))
                {
                    lease = new HeldLease(cell, found.Position, 1);
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
        return TryTakeOrphan(IdleLook, out lease);
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
        long now = Environment.TickCount64;
        if (now - _lastLook < interval)
        {
            return false;
        }
        _lastLook = now;
        return TryTakeOldest(includeDead: true, out lease);
    }

    /// <summary>Whether a message may have been given back.</summary>
    public bool HasReturned => TMem.Load(ref file.Returned) != 0;

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
    /// <returns>false when the lease had ended already.</returns>
    public bool TryAbandon(in HeldLease lease)
    {
        if (!TryEnd(lease, SubscriptionFormat.MessageWord(lease.Position, LeaseState.Returned)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseReturned);
        ReleaseCell(lease.Cell);
        // SYNC POINT returned: publishes that the cell's message is free to take.
        TMem.Store(ref file.Returned, 1);
        control.Data.WakeAll<TMem>();
        return true;
    }

    /// <summary>Gives back a message that was taken over and not delivered: the attempt does not count.</summary>
    public void TryGiveBackUnread(in HeldLease lease)
    {
        TMem.Store(ref file.Attempt(lease.Cell), lease.Attempt - 1);
        TryAbandon(lease with { Attempt = lease.Attempt - 1 });
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
        TMem.CompareExchange(ref file.Returned, 0, 1);
        int oldest = 0, waiting = 0;
        long oldestPosition = long.MaxValue;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long message = TMem.Load(ref file.Message(cell));
            long owner = TMem.Load(ref file.Owner(cell));
            bool free = owner == 0
                ? SubscriptionFormat.State(message) == LeaseState.Returned
                : includeDead && (self.IsAlive(owner) ? IsOverdue(cell, message) : SettleDead(cell, owner));
            if (free)
            {
                waiting++;
                if (SubscriptionFormat.MessagePosition(message) < oldestPosition)
                {
                    (oldest, oldestPosition) = (cell, SubscriptionFormat.MessagePosition(message));
                }
            }
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
        if (SubscriptionFormat.State(message) is LeaseState.Leased or LeaseState.Returned or LeaseState.Burying)
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
        long owner = TMem.Load(ref file.Owner(cell));
        bool isFree = owner == 0 || !self.IsAlive(owner) || IsOverdue(cell, TMem.Load(ref file.Message(cell)));
        if (!isFree || TMem.CompareExchange(ref file.Owner(cell), _me, owner) != owner)
        {
            return false;
        }
        long message = TMem.Load(ref file.Message(cell));
        LeaseState state = SubscriptionFormat.State(message);
        if (state is not (LeaseState.Leased or LeaseState.Returned or LeaseState.Burying))
        {
            ReleaseCell(cell);
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseTakenOver);
        long position = SubscriptionFormat.MessagePosition(message);
        int attempt = TMem.Load(ref file.Attempt(cell)) + 1;
        TMem.Store(ref file.Attempt(cell), attempt);
        TMem.Store(ref file.LeasedAt(cell), Environment.TickCount64);
        // What was being set aside stays so until it is known whether its dead letter was written.
        if (state != LeaseState.Burying)
        {
            TMem.Store(ref file.Message(cell), SubscriptionFormat.MessageWord(position, LeaseState.Leased));
        }
        lease = new HeldLease(cell, position, attempt, WasBeingBuried: state == LeaseState.Burying);
        return true;
    }

    private bool IsOverdue(int cell, long message) =>
        visibility is { } limit
        && SubscriptionFormat.State(message) == LeaseState.Leased
        && Environment.TickCount64 - TMem.Load(ref file.LeasedAt(cell)) > limit.TotalMilliseconds;
}
