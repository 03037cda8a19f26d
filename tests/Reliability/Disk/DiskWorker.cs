using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Disk;

/// <summary>A process that uses a queue on a small disk as it is told by lines, and says in lines what was acknowledged to it.</summary>
internal sealed class DiskWorker : IDisposable
{
    private static readonly int[] Lengths = [20, 20, 500, 500, 3_000, 3_000, 20_000, 90_000];

    private readonly string _root;
    private readonly bool _isMemory;
    private MappedStore _store;
    private MappedQueue<Item> _queue;
    private Item? _item;
    private long _next;

    private DiskWorker(string root, bool isMemory)
    {
        (_root, _isMemory) = (root, isMemory);
        Open();
    }

    [MemberNotNull(nameof(_store), nameof(_queue))]
    private void Open()
    {
        _store = MappedStore.Open(_root, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        _queue = _store.OpenQueue<Item>("queue");
    }

    /// <param name="arguments">The store's directory, and "memory" where nothing can be durable.</param>
    public static int Run(string[] arguments)
    {
        Console.SetOut(new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true });
        try
        {
            using var worker = new DiskWorker(arguments[0], arguments[1] == "memory");
            Console.WriteLine("ready");
            while (Console.In.ReadLine() is { } line)
            {
                worker.Do(line.Split(' '));
                Console.WriteLine("done");
            }
            return 0;
        }
        catch (Exception exception)
        {
            Say($"! {exception}");
            return 1;
        }
    }

    private void Do(string[] words)
    {
        long number = words.Length > 1 ? long.Parse(words[1], CultureInfo.InvariantCulture) : 0;
        switch (words[0])
        {
            case "fill":
                _next = number;
                Fill(new Random(int.Parse(words[2], CultureInfo.InvariantCulture)));
                break;
            case "probe":
                _next = number;
                // Larger than what is left of most segments.
                Try(1, number => EnqueueInTime(new Item().Fill(number, 60_000)));
                break;
            case "drain":
                Drain(number);
                break;
            case "more":
                TryMakeMore();
                break;
            case "close":
                _store.Dispose();
                break;
            case "open":
                Open();
                break;
        }
    }

    // A file system may take long to say no: ext4 writes its journal first.
    private const int MostRefusals = 4;

    // Until not even the smallest message finds room, or it was said often enough.
    private void Fill(Random random)
    {
        Durability durability = _isMemory || random.Next(2) == 0 ? Durability.PageCache : Durability.Commit;
        int refusals = 0;
        for (bool isFull = false; !isFull;)
        {
            int length = Lengths[random.Next(Lengths.Length)], count = random.Next(2, 12);
            bool taken = random.Next(4) switch
            {
                0 => Try(
                    count,
                    first => _queue.EnqueueBatch([.. Enumerable.Range(0, count).Select(i => new Item().Fill(first + i, length / 2))])),
                1 => Try(count, first => Commit(first, count, length / 2)),
                _ => Try(1, number => _queue.Enqueue(new Item().Fill(number, length), durability)),
            };
            isFull = !taken && (++refusals == MostRefusals || !Try(1, number => _queue.Enqueue(new Item().Fill(number, 20), durability)));
        }
    }

    // A thread that has taken a passed segment off the list may wait for a processor before it deletes the file.
    private void EnqueueInTime(Item item)
    {
        const int mostAttempts = 100;
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                _queue.Enqueue(item);
                return;
            }
            catch (QueueFullException) when (attempt < mostAttempts)
            {
                Thread.Sleep(20);
            }
        }
    }

    private void Commit(long first, int count, int length)
    {
        using QueueTransaction transaction = _store.Begin();
        for (int i = 0; i < count; i++)
        {
            transaction.Enqueue(_queue, new Item().Fill(first + i, length));
        }
        transaction.Commit();
    }

    // False where the disk is full.
    private bool Try(int count, Action<long> enqueue)
    {
        long first = _next;
        _next += count;
        Say($"try {first} {count}");
        try
        {
            enqueue(first);
            Say("taken");
            return true;
        }
        catch (QueueFullException)
        {
            Say("refused");
            return false;
        }
        catch (Exception exception)
        {
            Say("refused");
            Say($"! {exception}");
            return false;
        }
    }

    private void Drain(long most)
    {
        for (long taken = 0; taken < most; taken++)
        {
            if (!_queue.TryDequeue(ref _item))
            {
                Say("empty");
                return;
            }
            Say(_item!.IsWhole ? $"got {_item.Number}" : $"! message {_item.Number} is torn");
        }
    }

    // What else needs room. It is made and goes again, or it is refused and leaves nothing.
    private void TryMakeMore()
    {
        try
        {
            _queue.Subscribe("more").Dispose();
            _queue.DeleteSubscription("more");
            string path = Path.Combine(_store.Path, "more");
            MappedQueue<Item>.Open(path, new QueueOptions { SegmentSize = 1 << 20 }).Dispose();
            Directory.Delete(path, recursive: true);
        }
        catch (QueueFullException)
        {
            Say("refused");
        }
        foreach (string left in new[] { Path.Combine(_store.Path, "more"), Path.Combine(_queue.Path, "subscription-more") }.Where(
            Path.Exists))
        {
            Say($"! {left} was left behind");
        }
    }

    private static void Say(string line) => Console.WriteLine(line.ReplaceLineEndings(" | "));

    public void Dispose() => _store.Dispose();
}
