using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Copies;

/// <summary>A queue at work: one thread enqueues, one takes by leases, one dequeues from another subscription.</summary>
internal sealed class CopyLoad : ICopyLoad
{
    /// <summary>The two subscriptions.</summary>
    public static readonly string[] Subscriptions = ["default", "second"];

    private static readonly int[] Lengths = [20, 20, 300, 300, 2_000, 9_000, 90_000];

    // Milliseconds between two messages. Most is lost where few are under way: one of them, between two files that are copied.
    private static readonly int[] Pauses = [0, 1, 5, 20, 50];

    private readonly string _path;
    private readonly Random _random;
    private readonly QueueOptions _options;
    private readonly int _most;
    private readonly int _pause;
    private readonly long[] _consumed = new long[Subscriptions.Length];
    private readonly LoadThreads _threads = new();
    private MappedQueue<Item>? _queue;
    private long _acknowledged;
    private CopyMark _mark = new(0, [0, 0], [0, 0], IsDurable: false);

    public CopyLoad(string path, Random random)
    {
        (_path, _random) = (path, random);
        _most = random.Next(2) == 0 ? 20 : 300;
        _pause = Pauses[random.Next(Pauses.Length)];
        _options = new QueueOptions
        {
            SegmentSize = 1 << 16,
            UseChecksums = true,
            Capacity = random.Next(2) == 0 ? 4 << 20 : null,
            Durability = random.Next(4) == 0 ? Durability.Commit : Durability.PageCache,
        };
        Begin();
    }

    public string? Fault => _threads.Fault;

    public long Messages => Volatile.Read(ref _acknowledged);

    public string Noted => _mark.ToString();

    public void NoteBegin() => _mark = new(
        Volatile.Read(ref _acknowledged), [Volatile.Read(ref _consumed[0]), Volatile.Read(ref _consumed[1])], [],
        _options.Durability == Durability.Commit);

    // Each consumer may have taken one more, and not said so yet.
    public void NoteEnd() => _mark = _mark with
    {
        MayBeConsumed = [.. _consumed.Select((_, i) => Volatile.Read(ref _consumed[i]) + (_queue is null ? 0 : 1))],
    };

    public string Check(string path, string way, bool isRestarted) => new CopyCheck(path, way, _mark, isRestarted).Run();

    public void Begin()
    {
        _queue = MappedQueue<Item>.Open(_path, _options);
        Subscription<Item> first = _queue.Subscribe(Subscriptions[0]), second = _queue.Subscribe(Subscriptions[1]);
        int seed = _random.Next();
        _threads.Begin(
            () => Produce(new Random(seed)), () => Consume(first, 0, isLeased: true), () => Consume(second, 1, isLeased: false));
    }

    public void End()
    {
        _threads.End();
        _queue?.Dispose();
        _queue = null;
    }

    public void Dispose() => End();

    private void Produce(Random random)
    {
        var item = new Item();
        while (!_threads.AreEnding)
        {
            if (_pause > 0)
            {
                Thread.Sleep(_pause);
            }
            if (_acknowledged - Math.Min(Volatile.Read(ref _consumed[0]), Volatile.Read(ref _consumed[1])) > _most)
            {
                Thread.Sleep(1);
                continue;
            }
            int count = random.Next(5) == 0 ? random.Next(2, 6) : 1;
            if (count == 1)
            {
                _queue!.Enqueue(item.Fill(_acknowledged + 1, Lengths[random.Next(Lengths.Length)]));
            }
            else
            {
                _queue!.EnqueueBatch(
                    [.. Enumerable.Range(1, count).Select(i => new Item().Fill(_acknowledged + i, Lengths[random.Next(5)]))]);
            }
            Volatile.Write(ref _acknowledged, _acknowledged + count);
        }
    }

    private void Consume(Subscription<Item> subscription, int index, bool isLeased)
    {
        Item? item = null;
        while (!_threads.AreEnding)
        {
            if (!subscription.TryConsume(isLeased, ref item))
            {
                Thread.Sleep(1);
            }
            else if (item!.Number != _consumed[index] + 1 || !item.IsWhole)
            {
                throw new InvalidOperationException($"{subscription.Name}: message {item.Number} instead of {_consumed[index] + 1}.");
            }
            else
            {
                Volatile.Write(ref _consumed[index], item.Number);
            }
        }
    }
}

/// <summary>How far the threads were when copying began, and when it was over. Messages are numbered from 1.</summary>
/// <param name="Acknowledged">The last message that had been enqueued when copying began.</param>
/// <param name="Consumed">The last that had been consumed when copying began, by each of the two subscriptions.</param>
/// <param name="MayBeConsumed">The last that may have been when it was over.</param>
/// <param name="IsDurable">Whether what is acknowledged is on the disk.</param>
internal sealed record CopyMark(long Acknowledged, long[] Consumed, long[] MayBeConsumed, bool IsDurable)
{
    public override string ToString()
        => $"acknowledged {Acknowledged}, consumed {string.Join('/', Consumed)} to {string.Join('/', MayBeConsumed)}";
}
