using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>Reads how a queue stands, without a lock: each figure is true of some moment of the call.</summary>
internal sealed class StatusReader(QueueStore store)
{
    /// <summary>How a queue stands, whose subscriptions have so many dead letters.</summary>
    /// <remarks>Loops, no queries: a probe that runs once pays for compiling each of those.</remarks>
    public QueueStatus Read(Func<string, long> deadLetters)
    {
        long tail = MachineMemory.Load(ref store.Control.Tail), oldest = Math.Min(store.Subscriptions.OldestNeeded(), tail);
        SubscriptionFile[] files = store.Subscriptions.All();
        var subscriptions = new SubscriptionStatus[files.Length];
        for (int i = 0; i < files.Length; i++)
        {
            subscriptions[i] = StatusOf(files[i], tail, deadLetters(files[i].Name));
        }
        return new QueueStatus
        {
            Path = store.Files.Directory,
            MessageCount = Messages(files, tail),
            Bytes = tail - Math.Min(store.Segments.BehindPadding(oldest), tail),
            Capacity = MachineMemory.Load(ref store.Control.Capacity) is > 0 and var capacity ? capacity : null,
            HeldBy = Holder(),
            First = new QueuePosition(oldest),
            Next = new QueuePosition(tail),
            Repairs = MachineMemory.Load(ref store.Control.Repairs),
            Recovered = Quarantine.LastReport(store.Files.Directory),
            ExpiredSubscriptions = MachineMemory.Load(ref store.Control.ExpiredSubscriptions),
            IsFailed = MachineMemory.Load(ref store.Control.Failed) != 0,
            Subscriptions = subscriptions,
        };
    }

    private SubscriptionStatus StatusOf(SubscriptionFile file, long tail, long deadLetters) => new()
    {
        Name = file.Name,
        Lag = store.Counter.CountLag(file, tail),
        InFlight = file.CountInFlight(),
        Dropped = file.Dropped,
        Expired = file.Expired,
        DeadLetters = deadLetters,
        OldestAge = OldestAge(file, tail),
        Consumers = CountConsumers(file),
        Bytes = BytesOf(file, tail),
        Ephemeral = file.IsEphemeral,
        ExpiresAfter = file.ExpiresAfter,
        IdleSince = file.MayEnd ? file.IdleSince : null,
    };

    /// <summary>The subscription that needs the oldest message; null where none needs any.</summary>
    public RoomHolder? Holder()
    {
        long tail = MachineMemory.Load(ref store.Control.Tail);
        SubscriptionFile? holder = store.Subscriptions.All().MinBy(static file => file.OldestNeeded());
        if (holder is null || holder.OldestNeeded() is var oldest && oldest >= tail)
        {
            return null;
        }
        DateTime? since = store.Segments.Entered(oldest / store.Meta.SegmentSize) is { } ticks
            ? new DateTime(ticks, DateTimeKind.Utc)
            : null;
        return new RoomHolder(holder.Name, BytesOf(holder, tail), since, CountConsumers(holder));
    }

    private long BytesOf(SubscriptionFile file, long tail) =>
        tail - Math.Min(store.Segments.BehindPadding(Math.Min(file.OldestNeeded(), tail)), tail);

    // Those that some subscription has not committed.
    private long Messages(SubscriptionFile[] files, long tail)
    {
        long next = files.Select(static file => file.NextPosition).Append(tail).Min();
        long held = files.SelectMany(static file => file.Taken()).Where(position => position < next).Distinct().LongCount();
        return held + store.Counter.Count(next, tail);
    }

    /// <summary>How many messages wait to be taken: never taken yet, or given back.</summary>
    public long Lag(SubscriptionFile file) =>
        store.Counter.CountLag(file, MachineMemory.Load(ref store.Control.Tail));

    // At most: the time since the oldest message's segment was begun; null where all are consumed.
    private TimeSpan? OldestAge(SubscriptionFile file, long tail)
    {
        long oldest = file.OldestNeeded();
        if (oldest >= tail)
        {
            return null;
        }
        return store.Segments.Entered(oldest / store.Meta.SegmentSize) is { } entered
            ? TimeSpan.FromTicks(Math.Max(0, DateTime.UtcNow.Ticks - entered))
            : null;
    }

    private int CountConsumers(SubscriptionFile file)
    {
        int count = 0;
        foreach (long _ in file.LiveConsumers(store.Self))
        {
            count++;
        }
        return count;
    }
}
