namespace BlitQueue.Reliability.Power;

/// <summary>What a run did, and what it was told when. From it follows what must be there after a power loss at any event.</summary>
internal sealed class Ledger
{
    private readonly Dictionary<string, QueueLedger> _queues = [];

    /// <summary>The transactions in their order.</summary>
    public List<TransactionEntry> Transactions { get; } = [];

    public IReadOnlyDictionary<string, QueueLedger> Queues => _queues;

    public QueueLedger Queue(string name)
    {
        if (!_queues.TryGetValue(name, out QueueLedger? queue))
        {
            _queues[name] = queue = new QueueLedger();
        }
        return queue;
    }
}

/// <summary>What was enqueued to one queue, in the log's order, what of it was called durable when, and who consumed what.</summary>
internal sealed class QueueLedger
{
    private readonly List<(long Number, int Group)> _log = [];
    private readonly Dictionary<long, int> _indices = [];
    private readonly List<(int Event, int Count)> _durable = [];
    private int _groups;

    public Dictionary<string, SubscriptionLedger> Subscriptions { get; } = [];

    public int Count => _log.Count;

    public long Number(int index) => _log[index].Number;

    /// <summary>Where a message stands in the log; -1: it was never enqueued.</summary>
    public int IndexOf(long number) => _indices.GetValueOrDefault(number, -1);

    /// <summary>Messages that become visible together.</summary>
    public void Enqueued(params ReadOnlySpan<long> numbers)
    {
        _groups++;
        foreach (long number in numbers)
        {
            _indices[number] = _log.Count;
            _log.Add((number, _groups));
        }
    }

    /// <summary>All that was enqueued is called durable.</summary>
    public void AllDurable(int now) => Durable(now, _log.Count);

    /// <summary>So many messages, from the first on, are called durable.</summary>
    public void Durable(int now, int count) => _durable.Add((now, count));

    /// <summary>How many messages, from the first on, must be there after a power loss at an event.</summary>
    public int DurableAt(int now) => _durable.Where(entry => entry.Event <= now).Select(static entry => entry.Count).DefaultIfEmpty().Max();

    /// <summary>Whether a log that ends with the message at a place ends in the middle of what becomes visible together.</summary>
    public bool IsCutAt(int index) => index >= 0 && index + 1 < _log.Count && _log[index].Group == _log[index + 1].Group;
}

/// <summary>What one subscription was given, and what it consumed.</summary>
internal sealed class SubscriptionLedger
{
    /// <summary>The place in the log of the first message that it gets.</summary>
    public required int Start { get; init; }

    /// <summary>The event by which it was there for certain.</summary>
    public required int Made { get; init; }

    /// <summary>The last event before it was deleted.</summary>
    public int Deleted { get; set; } = int.MaxValue;

    /// <summary>The last event before each message's consumption began.</summary>
    public Dictionary<long, int> Consumed { get; } = [];

    /// <summary>The event by which each message's consumption was durable.</summary>
    public Dictionary<long, int> ConsumedDurably { get; } = [];

    /// <summary>The last event before each message was handed out for the first time, consumed or not.</summary>
    public Dictionary<long, int> HandedOut { get; } = [];

    /// <summary>The messages that were set aside, and whose letters are on the disk before the messages are gone.</summary>
    public HashSet<long> Buried { get; } = [];

    public void HandOut(long number, int now) => HandedOut.TryAdd(number, now);

    public void Consume(long number, int now)
    {
        HandedOut.TryAdd(number, now);
        Consumed.TryAdd(number, now);
    }
}

/// <summary>A durable transaction.</summary>
/// <param name="Began">The last event before its commit.</param>
/// <param name="Sent">What it sends: queue and number.</param>
/// <param name="Received">What it consumes: queue, subscription, number.</param>
internal sealed record TransactionEntry(
    int Began, (string Queue, long Number)[] Sent, (string Queue, string Subscription, long Number)[] Received)
{
    /// <summary>The event by which its commit had returned.</summary>
    public int Ended { get; set; } = int.MaxValue;
}
