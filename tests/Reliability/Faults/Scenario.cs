using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Faults;

/// <summary>Something that is done with queues while calls fail.</summary>
/// <param name="Name">For reports.</param>
/// <param name="Prepare">What was there before, made without failures.</param>
/// <param name="Act">What is done while calls fail; its books say what was acknowledged.</param>
internal sealed record Scenario(string Name, Action<string, FaultLedger> Prepare, Action<string, FaultLedger> Act)
{
    private const int Small = 100, Large = 6000;

    private static readonly QueueOptions Options = new() { SegmentSize = 1 << 16 };
    private static readonly QueueOptions Committing = Options with { Durability = Durability.Commit };

    public static IReadOnlyList<Scenario> All { get; } =
    [
        new("make", static (_, _) => { }, static (root, books) => UseQueue(root, books, Options, 1, Small)),
        new(
            "open", static (root, books) => UseQueue(root, books, Options, 5, Small),
            static (root, books) => UseQueue(root, books, Options, 3, Small)),
        new(
            "roll", static (root, books) => UseQueue(root, books, Options, 5, Large),
            static (root, books) => UseQueue(root, books, Options, 40, Large)),
        new("commit", static (root, books) => UseQueue(root, books, Options, 3, Small), Commit),
        new("consume", static (root, books) => UseQueue(root, books, Options, 60, Large), Consume),
        new("transaction", static (root, books) => Transact(root, books, 2), static (root, books) => Transact(root, books, 3)),
        new("recovery", Break, static (root, books) => UseQueue(root, books, Options, 3, Small)),
        new("subscription", static (root, books) => UseQueue(root, books, Options, 10, Small), Subscriptions),
        new("await", static (root, books) => UseQueue(root, books, Options, 1, Small), Await),
        new("backup", PrepareBackup, static (root, books) => books.Backup(root)),
        new("verify", PrepareBackup, static (root, books) => books.ReadThrough(root)),
        new("grow", static (root, books) => UseQueue(root, books, Options, 3, Small), Grow),
    ];

    private static MappedQueue<Item> Open(string root, QueueOptions options) => MappedQueue<Item>.Open(Path.Combine(root, "a"), options);

    private static void UseQueue(string root, FaultLedger books, QueueOptions options, int count, int length)
    {
        using MappedQueue<Item> queue = Open(root, options);
        for (int i = 0; i < count; i++)
        {
            books.Try("a", number => queue.Enqueue(new Item().Fill(number, length)));
        }
    }

    private static void Commit(string root, FaultLedger books)
    {
        using MappedQueue<Item> queue = Open(root, Committing);
        for (int i = 0; i < 3; i++)
        {
            books.Try("a", number => queue.Enqueue(new Item().Fill(number, Small)));
        }
        books.Try("a", number => queue.Enqueue(new Item().Fill(number, Small), Durability.PageCache));
        queue.Flush();
        books.Try("a", number => queue.EnqueueAsync(new Item().Fill(number, Small)).AsTask().Wait(TimeSpan.FromSeconds(20)));
    }

    // Segments are passed, deleted and used anew.
    private static void Consume(string root, FaultLedger books)
    {
        using MappedQueue<Item> queue = Open(root, Options);
        Item? item = null;
        for (int i = 0; i < 50; i++)
        {
            if (books.Consume("a", () => queue.TryDequeue(ref item) ? item!.Number : -1) && i % 2 == 0)
            {
                books.Try("a", number => queue.Enqueue(new Item().Fill(number, Large)));
            }
        }
    }

    private static void Transact(string root, FaultLedger books, int count)
    {
        using var store = MappedStore.Open(root, Committing);
        MappedQueue<Item> from = store.OpenQueue<Item>("a"), to = store.OpenQueue<Item>("b");
        for (int i = 0; i < count; i++)
        {
            books.Try("a", number => from.Enqueue(new Item().Fill(number, Small)));
            books.Transact(store, from, to);
        }
    }

    private static void Break(string root, FaultLedger books)
    {
        UseQueue(root, books, Options, 30, Large);
        // As in docs/FORMAT.md: the words belong to another boot, and a segment that should be there is torn.
        string path = Path.Combine(root, "a");
        Write(Path.Combine(path, "queue.control"), 32, "another boot of this machine"u8);
        Write(Path.Combine(path, "segment-0000000000020000"), 40_000, [0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE]);
        books.MayBeLost("a", 20);
    }

    private static void Write(string path, long offset, ReadOnlySpan<byte> bytes)
    {
        using FileStream file = File.OpenWrite(path);
        file.Position = offset;
        file.Write(bytes);
    }

    private static void Subscriptions(string root, FaultLedger books)
    {
        using MappedQueue<Item> queue = Open(root, Options);
        using (Subscription<Item> subscription = queue.Subscribe("other"))
        {
            Item? item = null;
            subscription.TryDequeue(ref item);
            if (subscription.TryReceive(out Lease<Item> lease))
            {
                lease.DeadLetter("a fault");
            }
        }
        queue.DeleteSubscription("other");
        books.Try("a", number => queue.Enqueue(new Item().Fill(number, Small)));
    }

    // One message is a dead letter of a second subscription.
    private static void PrepareBackup(string root, FaultLedger books)
    {
        UseQueue(root, books, Options, 5, Small);
        using MappedQueue<Item> queue = Open(root, Options);
        using Subscription<Item> other = queue.Subscribe("other");
        other.Receive().DeadLetter("to be copied");
    }

    private static void Await(string root, FaultLedger books)
    {
        using MappedQueue<Item> queue = Open(root, Options with { CreateDefaultSubscription = true });
        Item? item = null;
        books.Consume("a", () => queue.TryDequeue(ref item) ? item!.Number : -1);
        Task<Item> waiting = queue.DequeueAsync().AsTask();
        using Subscription<Item> other = queue.Subscribe("sleeper", new SubscriptionOptions { Start = SubscriptionStart.Newest });
        Task<bool> sleeping = Task.Run(() =>
        {
            Item? next = null;
            using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(20));
            other.Dequeue(ref next, patience.Token);
            return true;
        });
        Thread.Sleep(2);
        bool enqueued = books.Try("a", number => queue.Enqueue(new Item().Fill(number, Small)));
        if (enqueued)
        {
            books.Consume(
                "a",
                () => waiting.Wait(TimeSpan.FromSeconds(20))
                    ? waiting.Result.Number
                    : throw new TimeoutException("a waiting consumer was not woken"));
            if (!sleeping.Wait(TimeSpan.FromSeconds(30)))
            {
                throw new TimeoutException("a sleeping consumer was not woken");
            }
        }
    }

    private static void Grow(string root, FaultLedger books)
    {
        using var queue = MappedQueue<GrownItem>.Open(Path.Combine(root, "a"), Options);
        books.Try("a", number => queue.Enqueue(new GrownItem { Number = number, Body = Item.BodyOf(number, Small) }));
    }
}
