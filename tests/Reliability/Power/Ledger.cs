namespace BlitQueue.Reliability.Power;

/// <summary>What a run did, and what it was told when. From it follows what must be there after a power loss at any event.</summary>
internal sealed class Ledger
{
    private readonly Dictionary<string, QueueLedger> _queues = [];

    /// <summary>The transactions in their order.</summary>
    public List<TransactionEntry> Transactions { get; } = [];

    public IReadOnlyDictionary<string, QueueLedger> Queues => _queues;

    /// <summary>How many dead letters became messages again.</summary>
    public int Requeued => _queues.Values.Sum(static queue => queue.Subscriptions.Values.Sum(static entry => entry.Requeued.Count));

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
/// <remarks>
/// A message is known by its number. A dead letter that became a message again has the number of the message before, which may be there,
/// too: it is known by its position, as a negative number.
/// </remarks>
internal sealed class QueueLedger
{
    // By position.
    private readonly Dictionary<long, (long Number, string Subscription)> _requeued = [];
    private readonly List<(long Number, int Group)> _log = [];
    private readonly Dictionary<long, int> _indices = [];
    private readonly List<(int Event, int Count)> _durable = [];
    private int _groups;

    public Dictionary<string, SubscriptionLedger> Subscriptions { get; } = [];

    public int Count => _log.Count;

    public long Number(int index) => _log[index].Number;

    /// <summary>Where a message stands in the log; -1: it was never enqueued.</summary>
    public int IndexOf(long number) => _indices.GetValueOrDefault(number, -1);

    /// <summary>Whether any dead letter became a message again.</summary>
    public bool HasRequeued => _requeued.Count > 0;

    /// <summary>Whether a dead letter with this number became a message again, so that the number alone does not name a message.</summary>
    public bool IsRequeued(long number) => _requeued.Values.Any(message => message.Number == number);

    /// <summary>By what the message with this number at this position is known.</summary>
    public long KeyOf(long number, QueuePosition position) =>
        _requeued.TryGetValue(position.Value, out (long Number, string) message) && message.Number == number ? -position.Value : number;

    /// <summary>Whether a message is for other subscriptions than this one: only a dead letter's own gets it again.</summary>
    public bool IsForAnother(long key, string subscription) => key < 0 && _requeued[-key].Subscription != subscription;

    /// <summary>A dead letter became a message again.</summary>
    /// <returns>By what the message is known.</returns>
    public long Requeued(long number, QueuePosition position, string subscription)
    {
        _requeued[position.Value] = (number, subscription);
        Enqueued(-position.Value);
        return -position.Value;
    }

    /// <summary>Knows the messages that were dead letters as the books before a power loss did.</summary>
    public void KnowRequeuedOf(QueueLedger before)
    {
        foreach ((long position, (long, string) message) in before._requeued)
        {
            _requeued[position] = message;
        }
    }

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

    /// <summary>
    /// Messages, and the last event before each was set aside: after a power loss one may be there beside its letter, and be set aside
    /// again.
    /// </summary>
    public List<(long Key, int Began)> SetAside { get; } = [];

    /// <summary>The reasons with which each message was given back.</summary>
    public Dictionary<long, HashSet<string>> Reasons { get; } = [];

    /// <summary>
    /// For each letter that became a message again: of which message it was, the last event before, and by what the new one is known.
    /// </summary>
    public List<(long Key, int Began, long Message)> Requeued { get; } = [];

    /// <summary>Why a message is set aside.</summary>
    public static string ReasonOf(long number) => $"by chance, message {number}";

    public void GiveBack(long key, string reason)
    {
        if (!Reasons.TryGetValue(key, out HashSet<string>? reasons))
        {
            Reasons[key] = reasons = [];
        }
        reasons.Add(reason);
    }

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
