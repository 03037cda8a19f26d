namespace BlitQueue.Reliability.Power;

/// <summary>What was enqueued to one queue, in the log's order, what of it was called durable when, and who consumed what.</summary>
internal sealed class QueueLedger
{
    private readonly List<(long Number, int Group)> _log = [];
    private readonly Dictionary<long, int> _places = [];
    private readonly List<(int Event, int Count)> _durable = [];
    private int _groups;

    public Dictionary<string, SubscriptionLedger> Subscriptions { get; } = [];

    public int Count => _log.Count;

    public long Number(int place) => _log[place].Number;

    /// <summary>Where a message stands in the log; -1: it was never enqueued.</summary>
    public int PlaceOf(long number) => _places.GetValueOrDefault(number, -1);

    /// <summary>Messages that become visible together.</summary>
    public void Enqueued(params ReadOnlySpan<long> numbers)
    {
        _groups++;
        foreach (long number in numbers)
        {
            _places[number] = _log.Count;
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
    public bool IsCutAt(int place) => place >= 0 && place + 1 < _log.Count && _log[place].Group == _log[place + 1].Group;
}
