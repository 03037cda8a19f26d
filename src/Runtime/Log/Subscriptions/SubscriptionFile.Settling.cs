using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// What a power loss may do to leases. The next position and the cells are on different pages, which reach the disk in any order: were the
/// position there and a cell not, its message would count as consumed. So <see cref="DurableLeasesUpTo"/>, in the same sector as the
/// position, names the position up to which the cells are known to be on the disk; what was handed out behind it is delivered again.
/// </summary>
internal sealed partial class SubscriptionFile
{
    // What a position leaves: the low 3 bits and the high 9. A count goes through them as if the position were not there.
    private const long SeekMask = ~((1L << 55) - 8);

    private static readonly long ThisBoot = (long)SchemaText.Fingerprint(CurrentPlatform.Instance.BootId);

    private ref long DurableLeasesUpTo => ref _region.Word(SubscriptionFormat.DurableLeasesOffset);

    private ref long Boot => ref _region.Word(SubscriptionFormat.BootOffset);

    /// <summary>
    /// The position of the next message, as far as it is to be trusted: all of it where no lease was ever
    /// taken, or the machine did not go down.
    /// </summary>
    public long TrustedNext => DurableLeasesUpTo == 0 || Boot == ThisBoot ? SubscriptionFormat.Position(Next) : DurableLeasesNext;

    private long DurableLeasesNext => Math.Min(SubscriptionFormat.Position(Next), DurableLeasesUpTo & ~SeekMask);

    /// <summary>
    /// Of a copy: has the words count as those of another start of the system. How long nobody has used
    /// the original says nothing of the copy.
    /// </summary>
    public void Distrust()
    {
        MachineMemory.Store(ref Boot, 0);
        MachineMemory.Store(ref Idle, 0);
    }

    /// <summary>Called before a lease is taken.</summary>
    public void AnnounceLease()
    {
        // The position is read first: nothing in front of it was leased, as long as the word is 0.
        long next = SubscriptionFormat.Position(MachineMemory.Load(ref Next));
        MachineMemory.Store(ref Boot, ThisBoot);
        MachineMemory.CompareExchange(ref DurableLeasesUpTo, next, 0);
    }

    /// <summary>Whether <see cref="AnnounceLease"/> was called before.</summary>
    public bool KnowsLeases => MachineMemory.Load(ref DurableLeasesUpTo) != 0;

    /// <summary>How often <see cref="AnnounceSeek"/> was called, which goes round.</summary>
    public int Seeks<TMem>()
        where TMem : struct, ISharedMemory
    {
        long settled = TMem.Load(ref DurableLeasesUpTo);
        return (SubscriptionFormat.Tag(settled) << 3) | (int)(settled & 7);
    }

    /// <summary>
    /// Called before next goes to another position than the one behind its message: what is leased there later is not settled.
    /// </summary>
    public void AnnounceSeek<TMem>(long position)
        where TMem : struct, ISharedMemory
    {
        for (long now = TMem.Load(ref DurableLeasesUpTo); now != 0; now = TMem.Load(ref DurableLeasesUpTo))
        {
            // Counted, so that a sync that began before does not raise it.
            long lowered = Math.Min(position, now & ~SeekMask) | (((now | ~SeekMask) + 1) & SeekMask);
            if (TMem.CompareExchange(ref DurableLeasesUpTo, lowered, now) == now)
            {
                return;
            }
        }
    }

    /// <summary>Brings the position and all leases to the disk, and then that they are there.</summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync()
    {
        long settled = MachineMemory.Load(ref DurableLeasesUpTo), next = MachineMemory.Load(ref Next),
            position = SubscriptionFormat.Position(next);
        ConfirmClaim<MachineMemory>(next);
        _region.Sync(0, _region.Length);
        if (settled != 0 && position != SubscriptionFormat.GonePosition && position > (settled & ~SeekMask)
            && MachineMemory.CompareExchange(ref DurableLeasesUpTo, position | (settled & SeekMask), settled) == settled)
        {
            _region.Sync(0, SubscriptionFormat.CellsOffset);
        }
    }

    /// <summary>
    /// As <see cref="Sync"/>, where something was leased or consumed since. Where the disk refuses it is delivered again.
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
    /// Makes the claim of the consumer that moved next to where it is a lease, before next moves on and no longer names its cell.
    /// </summary>
    /// <remarks>
    /// A claim has succeeded exactly when next names its cell and is behind its message: a later claim of the same cell is made of a
    /// message that was still the next one after the cell was taken, so it is at next or behind it. Unless somebody sought back since next
    /// was read: so it is read again.
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

    // After a recovery, which has put back into the cells what was leased, or next in front of it.
    private void Settle(long next)
    {
        if (DurableLeasesUpTo != 0)
        {
            DurableLeasesUpTo = Math.Min(next, DurableLeasesUpTo & ~SeekMask);
            Boot = ThisBoot;
        }
    }
}
