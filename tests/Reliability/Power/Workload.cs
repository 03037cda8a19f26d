namespace BlitQueue.Reliability.Power;

/// <summary>
/// Uses real queues in every way, one step after the other, and keeps the books. The recorder looks after each step; what the queue's own
/// threads do, it sees at their syncs and at the next look.
/// </summary>
internal sealed partial class Workload : IDisposable
{
    public static readonly string[] QueueNames = ["a", "b"];

    private static readonly SubscriptionOptions Patient = new() { MaxAttempts = 1000 };

    private readonly string _root;
    private readonly bool _inStore;
    private readonly Random _random;
    private readonly Recorder _recorder;
    private readonly Ledger _ledger;
    private readonly Durability _levelOfA;
    private readonly Dictionary<string, OpenQueue> _open = [];
    private MappedStore? _store;
    private long _number;
    private int _subscriptions;

    /// <param name="root">The directory that the queues are in.</param>
    /// <param name="inStore">Whether it is a store.</param>
    /// <param name="firstNumber">The first message's number.</param>
    public Workload(string root, bool inStore, Random random, Recorder recorder, Ledger ledger, long firstNumber)
    {
        (_root, _inStore, _random, _recorder, _ledger, _number) = (root, inStore, random, recorder, ledger, firstNumber);
        _subscriptions = (int)(firstNumber / 1000);
        _levelOfA = random.Next(2) == 0 ? Durability.PageCache : Durability.Interval;
    }

    private int Now => _recorder.Now;

    /// <summary>Opens the queues.</summary>
    public void Open()
    {
        if (_inStore)
        {
            _store = MappedStore.Open(_root, OptionsOf("a"));
        }
        foreach (string name in QueueNames)
        {
            MappedQueue<Item> queue = _store?.OpenQueue<Item>(name, OptionsOf(name))
                ?? MappedQueue<Item>.Open(Path.Combine(_root, name), OptionsOf(name));
            var open = new OpenQueue(name, queue, _ledger.Queue(name), IsCommitting: name == "b");
            foreach (SubscriptionStatus status in queue.GetStatus().Subscriptions)
            {
                open.Subscriptions[status.Name] = queue.Subscribe(status.Name, Patient);
                open.Ledger.Subscriptions.TryAdd(status.Name, new SubscriptionLedger { Start = 0, Made = Now });
            }
            _open[name] = open;
        }
        _recorder.Look();
    }

    /// <summary>What is in a queue's log, oldest first.</summary>
    public IEnumerable<(long Number, QueuePosition Position, bool IsBehindHole)> Read(string name) =>
        [.. Holes.Read(_open[name].Queue).Select(static found => (found.Item.Number, found.Position, found.IsBehindHole))];

    public IEnumerable<string> SubscriptionsOf(string name) => _open[name].Subscriptions.Keys;

    public void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            Step(_open[QueueNames[_random.Next(QueueNames.Length)]]);
            _recorder.Look();
        }
    }

    private void Step(OpenQueue queue)
    {
        switch (_random.Next(100))
        {
            case < 34:
                Enqueue(queue);
                break;
            case < 40:
                EnqueueBatch(queue);
                break;
            case < 44:
                EnqueueWithProperties(queue);
                break;
            case < 47:
                queue.Queue.Flush();
                queue.Ledger.AllDurable(Now);
                break;
            case < 62:
                Dequeue(queue);
                break;
            case < 70:
                Lease(queue);
                break;
            case < 79:
                EndLease(queue);
                break;
            case < 82:
                Subscribe(queue);
                break;
            case < 84:
                DeleteSubscription(queue);
                break;
            case < 87:
                Requeue(queue);
                break;
            case < 95:
                Transact(queue);
                break;
            case < 96:
                Grow(queue);
                break;
            case < 97:
                AwaitInterval(queue);
                break;
            case < 98:
                Close();
                Open();
                break;
            default:
                Enqueue(queue, length: _random.Next(66_000, 200_000));
                break;
        }
    }

    private QueueOptions OptionsOf(string name) => new()
    {
        SegmentSize = 1 << 16,
        Durability = name == "b" ? Durability.Commit : _levelOfA,
    };

    private int Length() => _random.Next(10) switch
    {
        < 5 => _random.Next(100),
        < 9 => _random.Next(6000),
        _ => _random.Next(30_000),
    };

    private void Close()
    {
        foreach (OpenQueue queue in _open.Values)
        {
            int owed = queue.Interval;
            queue.Queue.Dispose();
            queue.Ledger.Durable(Now, owed);
        }
        _open.Clear();
        _store?.Dispose();
        _store = null;
    }

    public void Dispose() => Close();

    private sealed record OpenQueue(string Name, MappedQueue<Item> Queue, QueueLedger Ledger, bool IsCommitting)
    {
        public Dictionary<string, Subscription<Item>> Subscriptions { get; } = [];

        public List<(string Subscription, Lease<Item> Lease, Item Item)> Leases { get; } = [];

        /// <summary>How many messages there were when the last one was enqueued that is to be on the disk after an interval.</summary>
        public int Interval { get; set; }
    }
}
