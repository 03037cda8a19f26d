using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// How leases survive a power loss. The next position and the cells are on different pages, which reach the disk in any order: if the
/// position reached it and a cell did not, the cell's message would count as consumed. So <see cref="DurableLeasesUpTo"/>, in the same
/// sector as the position, says up to which position the cells are known to be on the disk. Messages that were handed out behind it are
/// delivered again.
/// </summary>
internal sealed partial class SubscriptionFile
{
    // The bits that a position does not use: the low 3 and the high 9. A counter uses them as if they were adjacent.
    private const long SeekMask = ~((1L << 55) - 8);

    private static readonly long ThisBoot = (long)SchemaText.Fingerprint(CurrentPlatform.Instance.BootId);

    private ref long DurableLeasesUpTo => ref _region.Word(SubscriptionFormat.DurableLeasesOffset);

    private ref long Boot => ref _region.Word(SubscriptionFormat.BootOffset);

    /// <summary>
    /// The position of the next message as far as it can be trusted. That is the stored position where no lease was ever taken, or the
    /// machine did not go down since it was stored.
    /// </summary>
    public long TrustedNext => DurableLeasesUpTo == 0 || Boot == ThisBoot ? SubscriptionFormat.Position(Next) : DurableLeasesNext;

    /// <summary>The position of the next message as a power loss would leave it.</summary>
    public long DurableLeasesNext => Math.Min(SubscriptionFormat.Position(Next), DurableLeasesUpTo & ~SeekMask);

    /// <summary>
    /// Marks the words of a copy as those of another start of the system. How long the original was not used says nothing about the
    /// copy.
    /// </summary>
    public void Distrust()
    {
        MachineMemory.Store(ref Boot, 0);
        MachineMemory.Store(ref Idle, 0);
    }

    /// <summary>Notes that leases may exist. Callers do so before they take one.</summary>
    public void AnnounceLease()
    {
        // The position is read first: as long as the word is 0, nothing before the position was leased.
        long next = SubscriptionFormat.Position(MachineMemory.Load(ref Next));
        MachineMemory.Store(ref Boot, ThisBoot);
        MachineMemory.CompareExchange(ref DurableLeasesUpTo, next, 0);
    }

    /// <summary>Whether <see cref="AnnounceLease"/> was called before.</summary>
    public bool KnowsLeases => MachineMemory.Load(ref DurableLeasesUpTo) != 0;

    /// <summary>How often <see cref="AnnounceSeek"/> was called; the counter wraps.</summary>
    public int Seeks<TMem>()
        where TMem : struct, ISharedMemory
    {
        long settled = TMem.Load(ref DurableLeasesUpTo);
        return (SubscriptionFormat.Tag(settled) << 3) | (int)(settled & 7);
    }

    /// <summary>
    /// Notes a seek back, because what is leased at its target later is not on the disk yet. Callers do so before they set next to an
    /// earlier position, so that a sync that began before does not raise the word, and call <see cref="EndSeek"/> behind that.
    /// </summary>
    public void AnnounceSeek<TMem>(long position)
        where TMem : struct, ISharedMemory
    {
        for (long now = TMem.Load(ref DurableLeasesUpTo); now != 0; now = TMem.Load(ref DurableLeasesUpTo))
        {
            long lowered = Math.Min(position, now & ~SeekMask) | (((now | ~SeekMask) + 1) & SeekMask);
            if (TMem.CompareExchange(ref DurableLeasesUpTo, lowered, now) == now)
            {
                return;
            }
        }
    }

    /// <summary>Takes back what a sync has raised that came between the announcement of a seek back and the seek.</summary>
    public void EndSeek<TMem>(long position)
        where TMem : struct, ISharedMemory
    {
        if ((TMem.Load(ref DurableLeasesUpTo) & ~SeekMask) > position)
        {
            AnnounceSeek<TMem>(position);
        }
    }

    /// <summary>
    /// Syncs the position and all leases to the disk, and then the word that says so. When it returns, what was leased before the call
    /// counts after a power loss, even if another process syncs at the same time and has not finished.
    /// </summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync<TMem>()
        where TMem : struct, ISharedMemory
    {
        while (!TrySync<TMem>())
        {
        }
    }

    // false: somebody has sought back meanwhile.
    private bool TrySync<TMem>()
        where TMem : struct, ISharedMemory
    {
        long before = TMem.Load(ref DurableLeasesUpTo), next = TMem.Load(ref Next), position = SubscriptionFormat.Position(next);
        ConfirmClaim<TMem>(next);
        TMem.Sync(_region, 0, _region.Length);
        // The sync has brought the word, too, which was loaded before it.
        if (before == 0 || position == SubscriptionFormat.GonePosition || position <= (before & ~SeekMask))
        {
            return true;
        }
        if (!TryRaiseDurableLeases<TMem>(position, before))
        {
            return false;
        }
        TMem.Sync(_region, 0, SubscriptionFormat.CellsOffset);
        return true;
    }

    // Where another sync has raised it, that one may not have brought it to the disk yet: so the caller syncs in any case.
    private bool TryRaiseDurableLeases<TMem>(long position, long before)
        where TMem : struct, ISharedMemory
    {
        for (long now = before; (now & SeekMask) == (before & SeekMask); now = TMem.Load(ref DurableLeasesUpTo))
        {
            if ((now & ~SeekMask) >= position
                || TMem.CompareExchange(ref DurableLeasesUpTo, position | (now & SeekMask), now) == now)
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>The same in the machine's memory.</summary>
    public void Sync() => Sync<MachineMemory>();

    /// <summary>
    /// Calls <see cref="Sync"/> if anything was leased or consumed since. What the disk refuses to store is delivered again after a power
    /// loss.
    /// </summary>
    public void SyncIfUnsettled()
    {
        try
        {
            if (KnowsLeases && !IsGone && DurableLeasesNext != SubscriptionFormat.Position(Next))
            {
                Sync();
            }
        }
        catch (IOException)
        {
        }
    }

    /// <summary>
    /// Turns the claim of the consumer that last moved next into a lease. Callers do so before next moves on and no longer names that
    /// consumer's cell.
    /// </summary>
    /// <remarks>
    /// A claim has succeeded exactly when next names its cell and is behind its message. A later claim of the same cell is about a message
    /// that was still the next one after the cell was taken, so at next or behind it. That is not so if somebody sought back since next was
    /// read: so it is read again.
    /// </remarks>
    public void ConfirmClaim<TMem>(long nextWord)
        where TMem : struct, ISharedMemory
    {
        int cell = SubscriptionFormat.Cell(nextWord);
        if (cell == 0)
        {
            return;
        }
        long message = TMem.Load(ref Message(cell));
        if (SubscriptionFormat.State(message) == LeaseState.Claiming
            && SubscriptionFormat.MessagePosition(message) < SubscriptionFormat.Position(nextWord)
            && TMem.Load(ref Next) == nextWord)
        {
            TMem.CompareExchange(ref Message(cell), SubscriptionFormat.InState(message, LeaseState.Leased), message);
        }
    }

    // After a recovery, which has restored in the cells what was leased, or has set next to a position before it.
    private void Settle(long next)
    {
        if (DurableLeasesUpTo != 0)
        {
            DurableLeasesUpTo = Math.Min(next, DurableLeasesUpTo & ~SeekMask);
            Boot = ThisBoot;
        }
    }
}
