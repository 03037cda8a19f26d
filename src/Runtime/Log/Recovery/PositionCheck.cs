using System.Buffers.Binary;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// What every opening compares, because it costs next to nothing: where the subscriptions stand, and from where to where the log goes. One
/// in front of the log's end would pass over what is enqueued next.
/// </summary>
internal static class PositionCheck
{
    private const int HeadSize = SubscriptionFormat.NextOffset + sizeof(long);

    /// <summary>The first subscription that stands where it cannot; null where all fit. Others may be at work meanwhile.</summary>
    public static (string Name, string What)? FirstWrong(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        foreach (string name in SubscriptionFile.Names(files))
        {
            if (Compare(files, meta, control, name) is { } what)
            {
                return (name, what);
            }
        }
        return null;
    }

    private static string? Compare(QueueFiles files, QueueMeta meta, ControlFile control, string name)
    {
        // In this order: what is kept only grows, up to where the subscriptions are, and they follow the log.
        long first = control.FirstRetained * meta.SegmentSize;
        if (Next(files, meta, name) is not { } next)
        {
            return null;
        }
        // SYNC POINT tail: the process that last released the append lock had moved the tail behind all that it published, so
        // that a free append lock acquires the tail.
        bool isAppending = MachineMemory.Load(ref control.LockOwner) != 0;
        long tail = MachineMemory.Load(ref control.Tail);
        return next < first ? $"it stands at position {next}, and the log begins at {first}"
            : next > tail && !isAppending ? $"it stands at position {next}, in front of the log's end at {tail}"
            : null;
    }

    /// <summary>Where a subscription stands, by its file, which is not mapped.</summary>
    /// <returns>null for what is no subscription of the queue, which others tell, and for one that is deleted.</returns>
    public static long? Next(QueueFiles files, QueueMeta meta, string name)
    {
        Span<byte> head = stackalloc byte[HeadSize];
        try
        {
            if (!files.TryRead(StoreFormat.SubscriptionName(name), 0, head)
                || BinaryPrimitives.ReadInt64LittleEndian(head) != SubscriptionFormat.Magic
                || new Guid(head.Slice(SubscriptionFormat.IdOffset, 16)) != meta.Id)
            {
                return null;
            }
        }
        catch (QueueCorruptException)
        {
            return null;
        }
        long next = SubscriptionFormat.Position(BinaryPrimitives.ReadInt64LittleEndian(head[SubscriptionFormat.NextOffset..]));
        return next == SubscriptionFormat.GonePosition ? null : next;
    }
}
