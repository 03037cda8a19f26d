using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>One subscription's mapped file: its words by name.</summary>
internal sealed partial class SubscriptionFile : IDisposable
{
    // What every deleted subscription of the process looks like to code that still holds it; never unmapped.
    private static readonly Lazy<MappedRegion> Nobodys = new(MakeNobodys);

    private MappedRegion _region;
    private SharedWord<long> _next;
    private SharedWord<long> _leases;

    private SubscriptionFile(MappedRegion region, string name)
    {
        Name = name;
        Use(region);
        Consumers = new ConsumerRegistry(this);
    }

    public string Name { get; }

    public ref long Next => ref _next.Value;

    public ref long Leases => ref _leases.Value;

    /// <summary><see cref="Next"/>, to keep until <see cref="WordsMoved"/>.</summary>
    public SharedWord<long> NextWord => _next;

    /// <summary><see cref="Leases"/>, to keep as long.</summary>
    public SharedWord<long> LeasesWord => _leases;

    /// <summary>After the words that were kept have become another subscription's.</summary>
    public event Action? WordsMoved;

    public ref long Returned => ref _region.Word(SubscriptionFormat.ReturnedOffset);

    public ref long Exclusive => ref _region.Word(SubscriptionFormat.ExclusiveOffset);

    /// <summary>Which objects of this handle use it.</summary>
    public ConsumerRegistry Consumers { get; }

    public ref long Dropped => ref _region.Word(SubscriptionFormat.DroppedOffset);

    public ref long Expired => ref _region.Word(SubscriptionFormat.ExpiredOffset);

    public ref int User(int participant) => ref _region.Word32(SubscriptionFormat.ConsumersOffset + ((long)participant * sizeof(int)));

    /// <summary>The owner words of those handles that live and have looked for messages.</summary>
    public IEnumerable<long> LiveConsumers(Participant self) => Live(self, except: SubscriptionFormat.SeatedMark);

    /// <summary>Whether some handle that lives has subscribed, whether it has looked for messages or not.</summary>
    public bool IsInUse(Participant self) => Live(self, except: 0).Any();

    private IEnumerable<long> Live(Participant self, uint except)
    {
        for (int index = 0; index < ControlFormat.MaximumParticipants; index++)
        {
            uint word = (uint)MachineMemory.Load(ref User(index));
            long owner = ControlFormat.OwnerWord(index, word & ~SubscriptionFormat.SeatedMark);
            if (word != 0 && (word & except) == 0 && self.IsAlive<MachineMemory>(owner))
            {
                yield return owner;
            }
        }
    }

    /// <summary>Whether the subscription was deleted: what is mapped here is of no use any more.</summary>
    public bool IsGone => SubscriptionFormat.Position(MachineMemory.Load(ref Next)) == SubscriptionFormat.GonePosition;

    public ref long Message(int cell) => ref _region.Word(CellOffset(cell));

    public ref long Owner(int cell) => ref _region.Word(CellOffset(cell) + SubscriptionFormat.CellOwnerOffset);

    public ref long Delivery(int cell) => ref _region.Word(CellOffset(cell) + SubscriptionFormat.CellDeliveryOffset);

    public LeaseCell Look<TMem>(int cell)
        where TMem : struct, ISharedMemory =>
        new(cell, TMem.Load(ref Message(cell)), TMem.Load(ref Owner(cell)), TMem.Load(ref Delivery(cell)));

    /// <summary>Tells all that have the file mapped that the subscription is deleted. Then the file can be.</summary>
    public void MarkGone()
    {
        long gone = SubscriptionFormat.NextWord(SubscriptionFormat.GonePosition, 0);
        for (long now = MachineMemory.Load(ref Next); now != gone; now = MachineMemory.Load(ref Next))
        {
            MachineMemory.CompareExchange(ref Next, gone, now);
        }
    }

    /// <summary>
    /// Of a deleted subscription: leaves the mapping to the caller, who unmaps it once the calls are over that are running now. Later ones,
    /// of consumers and leases that the program may keep for as long as it likes, find a subscription that is gone.
    /// </summary>
    public MappedRegion Abandon()
    {
        MappedRegion region = _region;
        Use(Nobodys.Value);
        WordsMoved?.Invoke();
        return region;
    }

    [MemberNotNull(nameof(_region))]
    private void Use(MappedRegion region)
    {
        _region = region;
        _next = region.SharedWord(SubscriptionFormat.NextOffset);
        _leases = region.SharedWord(SubscriptionFormat.LeasesOffset);
    }

    private static MappedRegion MakeNobodys()
    {
        var region = new MappedRegion(SubscriptionFormat.Size);
        region.Word(SubscriptionFormat.NextOffset) = SubscriptionFormat.NextWord(SubscriptionFormat.GonePosition, 0);
        return region;
    }

    /// <summary>Consumes the message of a committed transaction, whose holder or completer the caller is. May be repeated.</summary>
    public void End<TMem>(in DecidedLease lease)
        where TMem : struct, ISharedMemory
    {
        TMem.CompareExchange(ref Message(lease.Cell), SubscriptionFormat.Freed(lease.Message), lease.Message);
        FailPoint.Reach(ProtocolStep.TransactionLeaseEnded);
    }

    /// <summary>Consumes the message at a position where it is being set aside: its dead letter is written. May be repeated.</summary>
    public void EndDeadLetter<TMem>(long position, ControlFile control)
        where TMem : struct, ISharedMemory
    {
        FailPoint.Reach(ProtocolStep.LeaseDeadLettered);
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            // Again where another has just taken it over from the dead.
            for (LeaseCell seen = Look<TMem>(cell);
                seen.State == LeaseState.DeadLettering && seen.Position == position;
                seen = Look<TMem>(cell))
            {
                TMem.CompareExchange(ref Message(cell), SubscriptionFormat.Freed(seen.Message), seen.Message);
            }
        }
        control.Room.NotifyWaiters<TMem>();
    }

    /// <summary>
    /// All that the file says, word by word: where the subscription is first, then the cells. So what was leased in front of that place is
    /// in its cell, or was consumed meanwhile; what is leased behind it while this goes on is delivered from there. Without its users,
    /// and since when nobody does: that is none of a copy's.
    /// </summary>
    public byte[] Copy()
    {
        byte[] copy = new byte[SubscriptionFormat.Size];
        // All of one file: meanwhile the subscription may be deleted.
        MappedRegion region = _region;
        for (int offset = 0; offset < SubscriptionFormat.ConsumersOffset; offset += sizeof(long))
        {
            // SYNC POINT next: acquires the cell that was marked before next was moved.
            BinaryPrimitives.WriteInt64LittleEndian(copy.AsSpan(offset), MachineMemory.Load(ref region.Word(offset)));
        }
        BinaryPrimitives.WriteInt64LittleEndian(copy.AsSpan(SubscriptionFormat.IdleOffset), 0);
        return copy;
    }

    public void Dispose() => _region.Dispose();

    private static long CellOffset(int cell) => SubscriptionFormat.CellsOffset + ((long)(cell - 1) * SubscriptionFormat.CellSize);

    /// <summary>The names of all that have a file, which may be damaged, or of one that is just being deleted.</summary>
    public static string[] Names(QueueFiles files) =>
    [
        .. Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SubscriptionPrefix + "*")
            .Select(static path => Path.GetFileName(path)[StoreFormat.SubscriptionPrefix.Length..])
            .Where(static name => !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal)),
    ];

    /// <summary>How many subscriptions there are, those included whose file is damaged.</summary>
    public static int CountThere(QueueFiles files, QueueMeta meta) => Names(files).Count(name =>
    {
        try
        {
            using SubscriptionFile file = Open(files, meta, name);
            return !file.IsGone;
        }
        catch (QueueCorruptException)
        {
            return true;
        }
    });

    /// <summary>Makes the file of a subscription that starts at a position.</summary>
    /// <exception cref="DiskFullException">No room.</exception>
    public static void Make(
        QueueFiles files, QueueMeta meta, string name, long start, bool isEphemeral = false, TimeSpan? expiresAfter = null)
    {
        string fileName = StoreFormat.SubscriptionName(name);
        using SafeFileHandle file = files.CreateUnfinished(fileName);
        CurrentPlatform.Instance.Preallocate(file, SubscriptionFormat.Size);
        using (var region = new MappedRegion(file, SubscriptionFormat.Size))
        {
            meta.Id.TryWriteBytes(region.Bytes(SubscriptionFormat.IdOffset, 16));
            region.Word(SubscriptionFormat.NextOffset) = SubscriptionFormat.NextWord(start, 0);
            region.Word(SubscriptionFormat.EphemeralOffset) = isEphemeral ? 1 : 0;
            region.Word(SubscriptionFormat.ExpiresAfterOffset) = expiresAfter?.Ticks ?? 0;
            region.Word(SubscriptionFormat.MagicOffset) = SubscriptionFormat.Magic;
        }
        files.Finish(fileName, file);
    }

    public static SubscriptionFile Open(QueueFiles files, QueueMeta meta, string name)
    {
        string fileName = StoreFormat.SubscriptionName(name);
        MappedRegion region = files.Map(fileName, SubscriptionFormat.Size);
        if (region.Word(SubscriptionFormat.MagicOffset) != SubscriptionFormat.Magic
            || new Guid(region.Bytes(SubscriptionFormat.IdOffset, 16)) != meta.Id)
        {
            region.Dispose();
            throw new QueueCorruptException(files.PathOf(fileName), 0,
                $"it is not a subscription of this queue. {StoreFormat.Remedy} The subscription begins anew at the oldest message then.");
        }
        return new SubscriptionFile(region, name);
    }

    /// <summary>The first position that this subscription still needs: not handed out yet, or leased and not committed.</summary>
    public long OldestNeeded()
    {
        // SYNC POINT next: a consumer marks its cell before it moves next, so a message is always seen in one of the two.
        long oldest = SubscriptionFormat.Position(MachineMemory.Load(ref Next));
        if (MachineMemory.Load(ref Leases) != 0)
        {
            for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
            {
                long message = MachineMemory.Load(ref Message(cell));
                if (SubscriptionFormat.State(message) != LeaseState.None)
                {
                    oldest = Math.Min(oldest, SubscriptionFormat.MessagePosition(message));
                }
            }
        }
        return oldest;
    }

    /// <summary>
    /// Makes the words fit the log after the machine went down or the control file was lost: pages of this file may be older than others,
    /// older than the deletion of segments, or newer than the log. Nobody holds anything any more: participants are counted anew, so an
    /// owner of the time before may bear the mark of one of today.
    /// </summary>
    /// <param name="first">The first position that is still there; every subscription had passed what was before.</param>
    /// <param name="next">The next message's position: the one that is to be trusted, or in front of it where the log is older.</param>
    /// <param name="queueId">The queue's id.</param>
    /// <param name="decided">The committed transaction that may not be completed; null where there is none.</param>
    public void Recover(long first, long next, Guid queueId, DecidedTransaction? decided)
    {
        int claimed = SubscriptionFormat.Cell(Next);
        bool anyHeld = false;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long position = SubscriptionFormat.MessagePosition(Message(cell));
            LeaseState state = SubscriptionFormat.State(Message(cell));
            // What is at the next position or behind it is delivered from there.
            bool held = position >= first && position < next
                && (state is LeaseState.Leased or LeaseState.Returned or LeaseState.DeadLettering
                    || (state == LeaseState.Committing && decided?.Consumes(queueId, Name, cell, Message(cell)) != true)
                    || (state == LeaseState.Claiming && cell == claimed));
            // Times are counted from the start of a system that runs no more: what was to come later comes now.
            Delivery(cell) = SubscriptionFormat.DeliveryWord(0, Look<MachineMemory>(cell).Attempt, SubscriptionFormat.Tag(Message(cell)));
            Message(cell) = held ? SubscriptionFormat.Forfeited(Message(cell)) : SubscriptionFormat.Freed(Message(cell));
            Owner(cell) = 0;
            anyHeld |= held;
        }
        Returned = anyHeld ? 1 : 0;
        Exclusive = 0;
        Next = SubscriptionFormat.NextWord(next, 0);
        Settle(next);
    }
}
