using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>Reads how a queue stands, without a lock: each figure is true of some moment of the call.</summary>
internal sealed class StatusReader(QueueStore store)
{
    private readonly SubscriptionFigures _figures = new(store.Segments, store.Meta, store.Counter, file => CountConsumers(file, store));

    /// <summary>How a queue stands, whose subscriptions have so many dead letters.</summary>
    public QueueStatus Read(Func<string, long> deadLetters)
    {
        long tail = MachineMemory.Load(ref store.Control.Tail), oldest = Math.Min(store.Subscriptions.OldestNeeded(), tail);
        SubscriptionFile[] files = store.Subscriptions.All();
        var subscriptions = new SubscriptionStatus[files.Length];
        for (int i = 0; i < files.Length; i++)
        {
            subscriptions[i] = _figures.Of(files[i], tail, deadLetters(files[i].Name));
        }
        return new QueueStatus
        {
            Path = store.Files.Directory,
            MessageCount = _figures.CountMessages(files, tail),
            Bytes = _figures.BytesFrom(oldest, tail),
            Capacity = MachineMemory.Load(ref store.Control.Capacity) is > 0 and var capacity ? capacity : null,
            HeldBy = _figures.Holder(files, tail),
            First = new QueuePosition(oldest),
            Next = new QueuePosition(tail),
            Repairs = MachineMemory.Load(ref store.Control.Repairs),
            Recovered = Quarantine.LastReport(store.Files.Directory),
            ExpiredSubscriptions = MachineMemory.Load(ref store.Control.ExpiredSubscriptions),
            IsFailed = MachineMemory.Load(ref store.Control.Failed) != 0,
            Subscriptions = subscriptions,
        };
    }

    /// <summary>The subscription that needs the oldest message; null where none needs any.</summary>
    public RoomHolder? Holder() => _figures.Holder(store.Subscriptions.All(), MachineMemory.Load(ref store.Control.Tail));

    /// <summary>How many messages wait to be taken: never taken yet, or given back.</summary>
    public long Lag(SubscriptionFile file) => store.Counter.CountLag(file.CountTaken(), MachineMemory.Load(ref store.Control.Tail));

    private static int CountConsumers(SubscriptionFile file, QueueStore store)
    {
        int count = 0;
        foreach (long _ in file.LiveConsumers(store.Self))
        {
            count++;
        }
        return count;
    }
}
