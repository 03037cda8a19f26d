using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Copies;

/// <summary>
/// A store at work: one thread enqueues into two queues, one moves messages from the first to another, both in transactions; one
/// dequeues what was moved, one takes by leases what was enqueued beside.
/// </summary>
internal sealed class StoreLoad : ICopyLoad
{
    // How many messages a transaction moves at most.
    private const int MostMoved = 3;

    private static readonly int[] Lengths = [20, 20, 300, 300, 2_000, 9_000, 30_000];
    private static readonly int[] Pauses = [0, 1, 5, 20];

    private readonly string _path;
    private readonly Random _random;
    private readonly QueueOptions _options;
    private readonly int _most;
    private readonly int _pause;
    private readonly long[] _taken = new long[StoreMark.Queues.Length];
    private readonly LoadThreads _threads = new();
    private MappedStore? _store;
    private long _acknowledged;
    private StoreMark _mark = new(0, [0, 0, 0], [0, 0, 0]);

    public StoreLoad(string path, Random random)
    {
        (_path, _random) = (path, random);
        _most = random.Next(2) == 0 ? 20 : 300;
        _pause = Pauses[random.Next(Pauses.Length)];
        _options = new QueueOptions
        {
            SegmentSize = 1 << 16,
            UseChecksums = true,
            Durability = random.Next(4) == 0 ? Durability.Commit : Durability.PageCache,
        };
        Begin();
    }

    public string? Fault => _threads.Fault;

    public long Messages => Volatile.Read(ref _acknowledged);

    public string Noted => _mark.ToString();

    public void NoteBegin() => _mark = new StoreMark(Volatile.Read(ref _acknowledged), Taken(), []);

    // Each thread may have taken more, and not said so yet.
    public void NoteEnd() => _mark = _mark with
    {
        MayBeTaken = [.. Taken().Select((number, queue) => number + (_store is null ? 0 : queue == StoreMark.In ? MostMoved : 1))],
    };

    public string Check(string path, string way, bool isRestarted) => new StoreCheck(path, way, _mark, isRestarted).Run();

    public void Begin()
    {
        _store = MappedStore.Open(_path, _options);
        MappedQueue<Item>[] queues = [.. StoreMark.Queues.Select(name => _store.OpenQueue<Item>(name, _options))];
        Subscription<Item>[] all = [.. queues.Select(static queue => queue.Subscribe("default"))];
        int seed = _random.Next();
        _threads.Begin(
            () => Produce(new Random(seed), queues[StoreMark.In], queues[StoreMark.Audit]),
            () => Move(new Random(seed + 1), all[StoreMark.In], queues[StoreMark.Out]),
            () => Consume(all[StoreMark.Out], StoreMark.Out, isLeased: false),
            () => Consume(all[StoreMark.Audit], StoreMark.Audit, isLeased: true));
    }

    public void End()
    {
        _threads.End();
        _store?.Dispose();
        _store = null;
    }

    public void Dispose() => End();

    private long[] Taken() => [.. _taken.Select((_, queue) => Volatile.Read(ref _taken[queue]))];

    private void Produce(Random random, MappedQueue<Item> first, MappedQueue<Item> beside)
    {
        while (!_threads.AreEnding)
        {
            if (_pause > 0)
            {
                Thread.Sleep(_pause);
            }
            if (_acknowledged - Taken().Min() > _most)
            {
                Thread.Sleep(1);
                continue;
            }
            int count = random.Next(4) == 0 ? random.Next(2, 5) : 1;
            Item[] items =
                [.. Enumerable.Range(1, count).Select(i => new Item().Fill(_acknowledged + i, Lengths[random.Next(Lengths.Length)]))];
            if (random.Next(3) == 0)
            {
                first.EnqueueBatch(items);
                beside.EnqueueBatch(items);
            }
            else
            {
                using QueueTransaction transaction = _store!.Begin();
                transaction.EnqueueBatch(first, items);
                transaction.EnqueueBatch(beside, items);
                transaction.Commit();
            }
            Volatile.Write(ref _acknowledged, _acknowledged + count);
        }
    }

    private void Move(Random random, Subscription<Item> from, MappedQueue<Item> to)
    {
        while (!_threads.AreEnding)
        {
            using QueueTransaction transaction = _store!.Begin();
            long last = _taken[StoreMark.In];
            Item? item = null;
            for (int most = random.Next(1, MostMoved + 1); most > 0 && transaction.TryReceive(from, ref item); most--)
            {
                Require(from.Name, item, ++last);
                transaction.Enqueue(to, item);
            }
            if (last == _taken[StoreMark.In])
            {
                Thread.Sleep(1);
                continue;
            }
            transaction.Commit();
            Volatile.Write(ref _taken[StoreMark.In], last);
        }
    }

    private void Consume(Subscription<Item> subscription, int queue, bool isLeased)
    {
        Item? item = null;
        while (!_threads.AreEnding)
        {
            if (!subscription.TryConsume(isLeased, ref item))
            {
                Thread.Sleep(1);
                continue;
            }
            Require(StoreMark.Queues[queue], item!, _taken[queue] + 1);
            Volatile.Write(ref _taken[queue], item!.Number);
        }
    }

    private static void Require(string name, Item item, long number)
    {
        if (item.Number != number || !item.IsWhole)
        {
            throw new InvalidOperationException($"{name}: message {item.Number} instead of {number}.");
        }
    }
}
