using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The comparison that every opening makes, because it costs little: the subscriptions' positions with the log's bounds. A subscription
/// whose position is beyond the log's end would pass the next messages without delivering them.
/// </summary>
internal static class PositionCheck
{
    private const int HeadSize = SubscriptionFormat.NextOffset + sizeof(long);

    /// <summary>
    /// The first subscription with an impossible position; null if all fit. Other processes may be at work in the meantime.
    /// </summary>
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
        // In this order: the first retained position only grows, up to the subscriptions' positions, and these only grow, up to the log's
        // end.
        long first = control.FirstRetained * meta.SegmentSize;
        if (Next(files, meta, name) is not { } next)
        {
            return null;
        }
        // SYNC POINT tail: the process that last released the append lock had moved the tail behind all that it published, so
        // that a free append lock acquires the tail.
        bool isAppending = control.AppendHolder<MachineMemory>() != 0;
        long tail = MachineMemory.Load(ref control.Tail);
        return next < first ? $"it stands at position {next}, and the log begins at {first}"
            : next > tail && !isAppending ? $"it stands at position {next}, in front of the log's end at {tail}"
            : null;
    }

    /// <summary>A subscription's position, read from its file without mapping it.</summary>
    /// <returns>null if the file is no subscription of the queue, which is reported elsewhere, or if the subscription is deleted.</returns>
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
