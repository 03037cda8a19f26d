using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>One subscription's mapped file: its words by name.</summary>
internal sealed class SubscriptionFile : IDisposable
{
    private readonly MappedRegion _region;

    private readonly SharedInt64 _next;
    private readonly SharedInt64 _leases;

    private SubscriptionFile(MappedRegion region)
    {
        _region = region;
        _next = region.SharedInt64(SubscriptionFormat.NextOffset);
        _leases = region.SharedInt64(SubscriptionFormat.LeasesOffset);
    }

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

    public ref long Message(int cell) => ref _region.Word(CellOffset(cell));

    public ref long Owner(int cell) => ref _region.Word(CellOffset(cell) + SubscriptionFormat.CellOwnerOffset);

    public ref int Attempt(int cell) => ref _region.Word32(CellOffset(cell) + SubscriptionFormat.CellAttemptOffset);

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
        return new SubscriptionFile(region);
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

    /// <summary>Brings positions back to where the log is, after the machine went down.</summary>
    public void ClampTo(long first, long tail)
    {
        long position = SubscriptionFormat.Position(Next);
        if (position < first || position > tail)
        {
            Next = SubscriptionFormat.NextWord(Math.Clamp(position, first, tail), 0);
        }
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long leased = SubscriptionFormat.MessagePosition(Message(cell));
            if (leased < first || leased >= tail)
            {
                Message(cell) = 0;
            }
        }
    }
}
