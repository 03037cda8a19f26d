using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Reads how a queue stands, without a lock: each figure is true of some moment of the call.</summary>
internal sealed class StatusReader(QueueStore store)
{
    private readonly MessageCounter _counter = new(store.Table, store.Meta);

    public long Tail => MachineMemory.Load(ref store.Control.Tail);

    public long Repairs => MachineMemory.Load(ref store.Control.Repairs);

    public RecoveryReport? Recovered => SetAside.LastReport(store.Files.Directory);

    /// <summary>The first position that some subscription has not passed; the tail where all have, or there is none.</summary>
    public long Oldest(long tail) => Math.Min(store.Subscriptions.OldestNeeded(), tail);

    /// <summary>How many messages some subscription has not committed.</summary>
    public long Messages(long tail)
    {
        SubscriptionFile[] files = store.Subscriptions.All();
        long next = files.Select(Next).Append(tail).Min();
        int held = files.SelectMany(Held).Where(position => position < next).Distinct().Count();
        return held + _counter.Count(next, tail);
    }

    public SubscriptionFile[] Subscriptions() => store.Subscriptions.All();

    /// <summary>Messages that wait to be taken: never taken yet, or given back.</summary>
    public long Lag(SubscriptionFile file, long tail) =>
        _counter.Count(Math.Min(Next(file), tail), tail) + CountCells(file, LeaseState.Returned);

    /// <summary>Messages that are leased.</summary>
    public long InFlight(SubscriptionFile file) =>
        CountCells(file, LeaseState.Leased) + CountCells(file, LeaseState.Burying) + CountCells(file, LeaseState.Committing);

    /// <summary>Handles that live and have looked for messages.</summary>
    public int Consumers(SubscriptionFile file)
    {
        int count = 0;
        for (int place = 0; place < ControlFormat.MaximumParticipants; place++)
        {
            uint incarnation = (uint)MachineMemory.Load(ref file.Consumer(place));
            if (incarnation != 0 && store.Self.IsAlive<MachineMemory>(ControlFormat.OwnerWord(place, incarnation)))
            {
                count++;
            }
        }
        return count;
    }

    /// <summary>
    /// How long ago, at most, the subscription's oldest message was enqueued: the time since its segment was begun; null where all are
    /// consumed.
    /// </summary>
    public TimeSpan? OldestAge(SubscriptionFile file, long tail)
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
