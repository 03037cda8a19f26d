using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>One subscription's mapped file: each of its words has a property here.</summary>
internal sealed partial class SubscriptionFile : IDisposable
{
    // The words of every deleted subscription of the process, for code that still refers to it; never unmapped.
    private static readonly Lazy<MappedRegion> Nobodys = new(MakeNobodys);

    private MappedRegion _region;
    private SharedWord<long> _next;
    private SharedWord<long> _leases;

    private SubscriptionFile(MappedRegion region, QueueFiles files, QueueMeta meta, string name)
    {
        Directory = files.Directory;
        Name = name;
        Use(region);
        Consumers = new ConsumerRegistry(this);
        Reasons = new LeaseReasons(files, meta, name, () => IsGone);
    }

    /// <summary>The queue's, absolute: for what people read.</summary>
    public string Directory { get; }

    public string Name { get; }

    public ref long Next => ref _next.Value;

    public ref long Leases => ref _leases.Value;

    /// <summary><see cref="Next"/>, for callers that store the word until <see cref="WordsMoved"/>.</summary>
    public SharedWord<long> NextWord => _next;

    /// <summary><see cref="Leases"/>, for callers that store the word until <see cref="WordsMoved"/>.</summary>
    public SharedWord<long> LeasesWord => _leases;

    /// <summary>Raised after the subscription was deleted and its words are others: stored ones must be read anew.</summary>
    public event Action? WordsMoved;

    public ref long Returned => ref _region.Word(SubscriptionFormat.ReturnedOffset);

    public ref long Exclusive => ref _region.Word(SubscriptionFormat.ExclusiveOffset);

    /// <summary>The objects of this handle that use the subscription.</summary>
    public ConsumerRegistry Consumers { get; }

    /// <summary>Why messages were given back.</summary>
    public LeaseReasons Reasons { get; }

    public ref long Dropped => ref _region.Word(SubscriptionFormat.DroppedOffset);

    public ref long Expired => ref _region.Word(SubscriptionFormat.ExpiredOffset);

    public ref int User(int participant) => ref _region.Word32(SubscriptionFormat.ConsumersOffset + ((long)participant * sizeof(int)));

    /// <summary>The owner words of the living handles that have looked for messages.</summary>
    public IEnumerable<long> LiveConsumers(Participant self) => Live(self, except: SubscriptionFormat.SeatedMark);

    /// <summary>Whether any living handle has subscribed, no matter whether it has looked for messages.</summary>
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

    /// <summary>Whether the subscription was deleted, so that what is mapped here is of no use.</summary>
    public bool IsGone => SubscriptionFormat.Position(MachineMemory.Load(ref Next)) == SubscriptionFormat.GonePosition;

    public ref long Message(int cell) => ref _region.Word(CellOffset(cell));

    public ref long Owner(int cell) => ref _region.Word(CellOffset(cell) + SubscriptionFormat.CellOwnerOffset);

    public ref long Delivery(int cell) => ref _region.Word(CellOffset(cell) + SubscriptionFormat.CellDeliveryOffset);

    /// <summary>
    /// Where the message stands that the letter in a cell becomes. Written by the cell's owner, before it marks the cell.
    /// </summary>
    public ref long Target(int cell) => ref _region.Word(CellOffset(cell) + SubscriptionFormat.CellTargetOffset);

    public LeaseCell Look<TMem>(int cell)
        where TMem : struct, ISharedMemory =>
        new(cell, TMem.Load(ref Message(cell)), TMem.Load(ref Owner(cell)), TMem.Load(ref Delivery(cell)));

    /// <summary>
    /// Tells all processes that have the file mapped that the subscription is deleted. After that the file can be deleted.
    /// </summary>
    public void MarkGone()
    {
        long gone = SubscriptionFormat.NextWord(SubscriptionFormat.GonePosition, 0);
        for (long now = MachineMemory.Load(ref Next); now != gone; now = MachineMemory.Load(ref Next))
        {
            MachineMemory.CompareExchange(ref Next, gone, now);
        }
    }

    /// <summary>
    /// Gives the mapping of a deleted subscription to the caller, who unmaps it when the calls that run now are over. Later calls, of
    /// consumers and leases that the program still has, find a deleted subscription.
    /// </summary>
    public MappedRegion Abandon()
    {
        MappedRegion region = _region;
        Use(Nobodys.Value);
        Reasons.Dispose();
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

    /// <summary>Consumes a message for a committed transaction, which the caller holds or completes. May be repeated.</summary>
    public void End<TMem>(in DecidedLease lease)
        where TMem : struct, ISharedMemory
    {
        TMem.CompareExchange(ref Message(lease.Cell), SubscriptionFormat.Freed(lease.Message), lease.Message);
        FailPoint.Reach(ProtocolStep.TransactionLeaseEnded);
    }

    /// <summary>Consumes the letter in a cell, whose message is enqueued. May be repeated.</summary>
    public void EndRequeued<TMem>(int cell, long message)
        where TMem : struct, ISharedMemory
    {
        TMem.CompareExchange(ref Message(cell), SubscriptionFormat.Freed(message), message);
        FailPoint.Reach(ProtocolStep.RequeueLetterEnded);
    }

    /// <summary>
    /// Consumes the message at a position for which somebody is writing a dead letter: the letter is written by now. May be repeated.
    /// </summary>
    public void EndDeadLetter<TMem>(long position, ControlFile control)
        where TMem : struct, ISharedMemory
    {
        FailPoint.Reach(ProtocolStep.LeaseDeadLettered);
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            // Again where another participant has just taken the lease over from a dead one.
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
    /// Copies the file word by word: the subscription's position first, then the cells. So a message that was leased before that position
    /// is in its cell, or was consumed meanwhile; one that is leased behind it during the copy is delivered from the position. The copy has
    /// no users, and no note that there are none: they say nothing about a copy.
    /// </summary>
    public byte[] Copy()
    {
        byte[] copy = new byte[SubscriptionFormat.Size];
        // The whole copy is of one mapping: the subscription may be deleted meanwhile.
        MappedRegion region = _region;
        for (int offset = 0; offset < SubscriptionFormat.ConsumersOffset; offset += sizeof(long))
        {
            // SYNC POINT next: acquires the cell that was marked before next was moved.
            BinaryPrimitives.WriteInt64LittleEndian(copy.AsSpan(offset), MachineMemory.Load(ref region.Word(offset)));
        }
        BinaryPrimitives.WriteInt64LittleEndian(copy.AsSpan(SubscriptionFormat.IdleOffset), 0);
        return copy;
    }

    public void Dispose()
    {
        Reasons.Dispose();
        _region.Dispose();
    }

    private static long CellOffset(int cell) => SubscriptionFormat.CellsOffset + ((long)(cell - 1) * SubscriptionFormat.CellSize);

    /// <summary>
    /// The names of all subscriptions that have a file, which may be damaged, or be that of one whose deletion has begun.
    /// </summary>
    public static string[] Names(QueueFiles files) =>
    [
        .. System.IO.Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SubscriptionPrefix + "*")
            .Select(static path => Path.GetFileName(path)[StoreFormat.SubscriptionPrefix.Length..])
            .Where(static name => !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal)),
    ];

    /// <summary>How many subscriptions there are, including those whose file is damaged.</summary>
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
    /// <remarks>It replaces a file of this name: that of a deleted subscription, whose deleter died.</remarks>
    /// <exception cref="DiskFullException">The disk has no room.</exception>
    /// <exception cref="OvertakenException">There is one of this name, in a queue that is being made.</exception>
    public static void Make(
        QueueFiles files, QueueMeta meta, string name, long start, bool isEphemeral = false, TimeSpan? expiresAfter = null,
        bool isQueueNew = false)
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
        if (isQueueNew)
        {
            files.FinishNew(fileName, file);
        }
        else
        {
            files.Finish(fileName, file);
        }
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
        return new SubscriptionFile(region, files, meta, name);
    }

    /// <summary>
    /// The first position that this subscription still needs: its message was not handed out yet, or is leased and not committed.
    /// </summary>
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
    /// Makes the words agree with the log after the machine went down or the control file was lost: pages of this file may be older than
    /// others, older than the deletion of segments, or newer than the log. There is no lease after it: participants are counted anew, so
    /// an earlier owner may have the owner word of one of today.
    /// </summary>
    /// <param name="first">The first position that still exists; every subscription had passed what was before.</param>
    /// <param name="next">The position of the next message: the trusted one, or an earlier one where the log is older.</param>
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
            // A message at the next position or behind it is delivered from there, without the cell.
            bool held = position >= first && position < next
                && (state is LeaseState.Leased or LeaseState.Returned or LeaseState.DeadLettering or LeaseState.GivingBack
                    or LeaseState.Requeueing
                    || (state == LeaseState.Committing && decided?.Consumes(queueId, Name, cell, Message(cell)) != true)
                    || (state == LeaseState.Claiming && cell == claimed));
            // Times count from the start of a system that no longer runs: what was to be delivered later is delivered now.
            Delivery(cell) = SubscriptionFormat.DeliveryWord(0, Look<MachineMemory>(cell).Attempt, SubscriptionFormat.Tag(Message(cell)));
            Message(cell) = !held ? SubscriptionFormat.Freed(Message(cell))
                // Its next consumer looks for its message in the letters' own queue.
                : state == LeaseState.Requeueing ? SubscriptionFormat.InState(SubscriptionFormat.Forfeited(Message(cell)), state)
                : SubscriptionFormat.Forfeited(Message(cell));
            Owner(cell) = 0;
            anyHeld |= held;
        }
        Returned = anyHeld ? 1 : 0;
        Exclusive = 0;
        Next = SubscriptionFormat.NextWord(next, 0);
        Settle(next);
    }
}
