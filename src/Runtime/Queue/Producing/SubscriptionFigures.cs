using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>What a status says of a queue's subscriptions, whether a participant asks or a process that only reads.</summary>
/// <param name="segments">The log's.</param>
/// <param name="meta">The queue.</param>
/// <param name="counter">Counts messages of the log.</param>
/// <param name="countConsumers">How many consumers a subscription has.</param>
/// <remarks>Loops instead of LINQ queries: a probe that runs once would pay for compiling each of them.</remarks>
internal sealed class SubscriptionFigures(
    SegmentCache segments, QueueMeta meta, MessageCounter counter, Func<SubscriptionFile, int> countConsumers)
{
    public SubscriptionStatus Of(SubscriptionFile file, long tail, long deadLetters)
    {
        long oldest = file.OldestNeeded();
        TakenCount taken = file.CountTaken();
        return new SubscriptionStatus
        {
            Name = file.Name,
            Lag = counter.CountLag(taken, tail),
            InFlight = taken.InFlight,
            Dropped = file.Dropped,
            Expired = file.Expired,
            DeadLetters = deadLetters,
            OldestAge = oldest < tail ? Age(oldest) : null,
            Consumers = countConsumers(file),
            Bytes = BytesFrom(oldest, tail),
            Ephemeral = file.IsEphemeral,
            ExpiresAfter = file.ExpiresAfter,
            IdleSince = file.MayEnd ? file.IdleSince : null,
        };
    }

    /// <summary>The subscription that needs the oldest message; null where none needs any.</summary>
    public RoomHolder? Holder(IReadOnlyList<SubscriptionFile> files, long tail)
    {
        SubscriptionFile? holder = null;
        long oldest = tail;
        foreach (SubscriptionFile file in files)
        {
            if (file.OldestNeeded() is var needed && needed < oldest)
            {
                (holder, oldest) = (file, needed);
            }
        }
        return holder is null
            ? null
            : new RoomHolder(holder.Name, BytesFrom(oldest, tail), Entered(oldest), countConsumers(holder));
    }

    /// <summary>How many messages some subscription has not committed.</summary>
    public long CountMessages(IReadOnlyList<SubscriptionFile> files, long tail)
    {
        // SYNC POINT next: before the cells.
        long[] words = [.. files.Select(static file => MachineMemory.Load(ref file.Next))];
        long next = words.Select(SubscriptionFormat.Position).Append(tail).Min();
        HashSet<long>? taken = null;
        for (int index = 0; index < files.Count; index++)
        {
            foreach ((long position, _) in files[index].Taken(words[index]))
            {
                if (position < next)
                {
                    (taken ??= []).Add(position);
                }
            }
        }
        return (taken?.Count ?? 0) + counter.Count(next, tail);
    }

    /// <summary>How many bytes of log there are from the message at a position on.</summary>
    public long BytesFrom(long position, long tail) => tail - Math.Min(segments.BehindPadding(Math.Min(position, tail)), tail);

    // At most: the time since the message's segment was begun.
    private TimeSpan? Age(long position) =>
        Entered(position) is { } entered ? TimeSpan.FromTicks(Math.Max(0, DateTime.UtcNow.Ticks - entered.Ticks)) : null;

    private DateTime? Entered(long position) =>
        segments.Entered(position / meta.SegmentSize) is { } ticks ? new DateTime(ticks, DateTimeKind.Utc) : null;
}
