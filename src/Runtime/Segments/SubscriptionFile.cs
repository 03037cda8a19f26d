using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>One subscription's mapped file: its words by name.</summary>
internal sealed class SubscriptionFile : IDisposable
{
    private readonly MappedRegion _region;

    private readonly SharedWord<long> _next;
    private readonly SharedWord<long> _leases;

    private SubscriptionFile(MappedRegion region, string name)
    {
        _region = region;
        Name = name;
        _next = region.SharedWord(SubscriptionFormat.NextOffset);
        _leases = region.SharedWord(SubscriptionFormat.LeasesOffset);
    }

    public string Name { get; }

    public ref long Next
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref _next.Value;
    }

    public ref long Leases
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref _leases.Value;
    }

    public ref long Returned => ref _region.Word(SubscriptionFormat.ReturnedOffset);

    public ref long Dropped => ref _region.Word(SubscriptionFormat.DroppedOffset);

    public ref int Consumer(int participant) => ref _region.Word32(SubscriptionFormat.ConsumersOffset + ((long)participant * sizeof(int)));

    /// <summary>Whether the subscription was deleted: what is mapped here is nobody's any more.</summary>
    public bool IsGone => SubscriptionFormat.Position(MachineMemory.Load(ref Next)) == SubscriptionFormat.GonePosition;

    public ref long Message(int cell) => ref _region.Word(CellOffset(cell));

    public ref long Owner(int cell) => ref _region.Word(CellOffset(cell) + SubscriptionFormat.CellOwnerOffset);

    public ref long LeasedAt(int cell) => ref _region.Word(CellOffset(cell) + SubscriptionFormat.CellTimeOffset);

    public ref int Attempt(int cell) => ref _region.Word32(CellOffset(cell) + SubscriptionFormat.CellAttemptOffset);

    /// <summary>Tells everybody who has the file mapped that it is nobody's any more. Then it can be deleted.</summary>
    public void MarkGone()
    {
        long gone = SubscriptionFormat.NextWord(SubscriptionFormat.GonePosition, 0);
        for (long now = MachineMemory.Load(ref Next); now != gone; now = MachineMemory.Load(ref Next))
        {
            MachineMemory.CompareExchange(ref Next, gone, now);
        }
    }

    public void Dispose() => _region.Dispose();

    private static long CellOffset(int cell) => SubscriptionFormat.CellsOffset + ((long)(cell - 1) * SubscriptionFormat.CellSize);

    /// <summary>Makes the file of a subscription that starts at a position.</summary>
    /// <exception cref="DiskFullException">No room.</exception>
    public static void Make(QueueFiles files, QueueMeta meta, string name, long start)
    {
        string fileName = StoreFormat.SubscriptionName(name);
        using SafeFileHandle file = files.CreateUnfinished(fileName);
        Recommended.Platform.Preallocate(file, SubscriptionFormat.Size);
        using (var region = new MappedRegion(file, SubscriptionFormat.Size))
        {
            meta.Id.TryWriteBytes(region.Bytes(SubscriptionFormat.IdOffset, 16));
            region.Word(SubscriptionFormat.NextOffset) = SubscriptionFormat.NextWord(start, 0);
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
                "it is not a subscription of this queue. Restore it from a backup, or delete it to start the subscription anew.");
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
    /// <param name="first">The first position that is still there; everybody had passed what was before.</param>
    /// <param name="tail">The log's end.</param>
    public void Recover(long first, long tail)
    {
        int claimed = SubscriptionFormat.Cell(Next);
        long next = Math.Clamp(SubscriptionFormat.Position(Next), first, tail);
        bool anyHeld = false;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long position = SubscriptionFormat.MessagePosition(Message(cell));
            LeaseState state = SubscriptionFormat.State(Message(cell));
            // What is at the next position or behind it is delivered from there.
            bool held = position >= first && position < next
                && (state is LeaseState.Leased or LeaseState.Returned or LeaseState.Burying || (state == LeaseState.Claiming && cell == claimed));
            Message(cell) = held ? SubscriptionFormat.MessageWord(position, LeaseState.Returned) : 0;
            Owner(cell) = 0;
            anyHeld |= held;
        }
        Returned = anyHeld ? 1 : 0;
        Next = SubscriptionFormat.NextWord(next, 0);
    }
}
