using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

/// <summary>Reads how a queue stands, without a lock: each figure is true of some moment of the call.</summary>
internal sealed class StatusReader(QueueStore store)
{
    private readonly MessageCounter _counter = new(store.Table, store.Meta);

    /// <summary>How a queue stands, whose handle has this capacity and whose subscriptions have so many dead letters.</summary>
    public QueueStatus Read(long? capacity, Func<string, long> deadLetters)
    {
        long tail = MachineMemory.Load(ref store.Control.Tail), oldest = Math.Min(store.Subscriptions.OldestNeeded(), tail);
        return new QueueStatus
        {
            Messages = Messages(tail),
            Bytes = tail - Math.Min(store.Table.BehindPadding(oldest), tail),
            Capacity = capacity,
            First = new QueuePosition(oldest),
            Next = new QueuePosition(tail),
            Repairs = MachineMemory.Load(ref store.Control.Repairs),
            Recovered = SetAside.LastReport(store.Files.Directory),
            Subscriptions = [.. store.Subscriptions.All().Select(file => StatusOf(file, tail, deadLetters(file.Name)))],
        };
    }

    private SubscriptionStatus StatusOf(SubscriptionFile file, long tail, long deadLetters) => new()
    {
        Name = file.Name,
        Lag = Lag(file, tail),
        InFlight = CountCells(file, LeaseState.Leased) + CountCells(file, LeaseState.Burying) + CountCells(file, LeaseState.Committing),
        Dropped = file.Dropped,
        Expired = file.Expired,
        DeadLetters = deadLetters,
        OldestAge = OldestAge(file, tail),
        Consumers = file.LiveConsumers(store.Self).Count(),
    };

    // Those that some subscription has not committed.
    private long Messages(long tail)
    {
        SubscriptionFile[] files = store.Subscriptions.All();
        long next = files.Select(Next).Append(tail).Min();
        int held = files.SelectMany(Held).Where(position => position < next).Distinct().Count();
        return held + _counter.Count(next, tail);
    }

    /// <summary>How many messages wait to be taken: never taken yet, or given back.</summary>
    public long Lag(SubscriptionFile file) => Lag(file, MachineMemory.Load(ref store.Control.Tail));

    private long Lag(SubscriptionFile file, long tail) =>
        _counter.Count(Math.Min(Next(file), tail), tail) + CountCells(file, LeaseState.Returned);

    // At most: the time since the oldest message's segment was begun; null where all are consumed.
    private TimeSpan? OldestAge(SubscriptionFile file, long tail)
    {
        long oldest = file.OldestNeeded();
        if (oldest >= tail)
        {
            return null;
        }
        return store.Table.Entered(oldest / store.Meta.SegmentSize) is { } entered
            ? TimeSpan.FromTicks(Math.Max(0, DateTime.UtcNow.Ticks - entered))
            : null;
    }

    private static long Next(SubscriptionFile file) => SubscriptionFormat.Position(MachineMemory.Load(ref file.Next));

    private static int CountCells(SubscriptionFile file, LeaseState state) =>
        Cells(file).Count(message => SubscriptionFormat.State(message) == state);

    private static IEnumerable<long> Held(SubscriptionFile file) =>
        Cells(file).Where(message => SubscriptionFormat.State(message)
                is LeaseState.Leased or LeaseState.Returned or LeaseState.Burying or LeaseState.Committing)
            .Select(SubscriptionFormat.MessagePosition);

    private static IEnumerable<long> Cells(SubscriptionFile file) =>
        MachineMemory.Load(ref file.Leases) == 0
            ? []
            : Enumerable.Range(1, SubscriptionFormat.Cells).Select(cell => MachineMemory.Load(ref file.Message(cell)));
}
