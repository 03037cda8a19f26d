using System.Globalization;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Pairs;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;
using BlitQueue.Bench.Workloads;
using static BlitQueue.Bench.Plans.Plan;

namespace BlitQueue.Bench.Plans;

/// <summary>The workloads by which the libraries and the paper that this one learnt from were measured.</summary>
internal static class WorkloadPlan
{
    private const int TestItems = 10_000_000, TinyMessages = 2_000_000, FewRounds = 3;
    private const long BodyCharacters = 200_000_000, MostBodies = 200_000, GrownTo = 60_000_000;
    private static readonly QueueOptions Unread = new() { CreateDefaultSubscription = false }, Express = new(),
        Durable = new() { Durability = Durability.Commit }, LargeSegments = new() { SegmentSize = 512 << 20 };

    public static IEnumerable<ScenarioGroup> Groups(WorkerSet workers) =>
    [
        TestItemGroup(Titles.FilesWrite, reads: false),
        TestItemGroup(Titles.FilesRead, reads: true),
        new("Interprocess: messages of 3 bytes",
        [
            new CountedScenario(
                "enqueue", Role.Queue, TinyMessages, static (path, count) => new SendWork<TinyEnds>(new(path, Unread), count)),
            Pair("enqueue and dequeue, reused buffer", Role.Queue, static path => new TinyPair(path)),
        ]),
        Growing(),
        new("SharedMemory: 20 nodes of 1 MB, two threads",
        [
            new ThreadsScenario(Titles.InMemory, Role.Queue, TransportList.Get("queue-nodes")),
            new ThreadsScenario(Titles.Ring, Role.Floor, TransportList.Get("ring-1048576")),
        ]) { MessageBytes = TransportList.Megabyte },
        new("MSMQ paper: bodies, express, sent (nobody receives)", [.. BodySizes.All.Select(BodySend)]) { Rounds = FewRounds },
        new("MSMQ paper: bodies, express, received (sent before)", [.. BodySizes.All.Select(BodyReceive)]) { Rounds = FewRounds },
        new("MSMQ paper: bodies, express, from one process to another",
            [.. BodySizes.All.Select(size => OneWay(Characters(size), BodySizes.TransportOf(size), workers))]) { Rounds = FewRounds },
        OrdersSent(),
        OrdersReceived(),
        Orders(workers),
        new($"MSMQ paper: order of 50 lines, to {FanOutWork.Recipients} recipients, each of whom receives it",
        [
            new CountedScenario("subscriptions of one queue", Role.Queue, 20_000, static (path, count) => new FanOutWork(path, count)),
            new CountedScenario(
                "queues of one store, transactions of 64", Role.Queue, 20_000, static (path, count) => new DistributionWork(path, count)),
        ]) { Rounds = FewRounds },
    ];

    private static ScenarioGroup Growing() =>
        new("A queue that grows to 1 GB, 60,000,000 messages of 8 bytes, with default options",
        [
            new CountedScenario("in shared memory, written", Role.Queue, GrownTo, static (path, count) => Written(path, count)),
            new CountedScenario("in shared memory, then read", Role.Queue, GrownTo, static (path, count) => ReadThen(path, count)),
            new CountedScenario("on disk, written", Role.Queue, GrownTo, static (path, count) => Written(path, count)) { OnDisk = true },
            new CountedScenario("on disk, then read", Role.Queue, GrownTo, static (path, count) => ReadThen(path, count)) { OnDisk = true },
        ])
        { Rounds = FewRounds };

    private static SendWork<Fixed8Ends> Written(string path, int count) => new(new(path), count);

    private static ReceiveWork<Fixed8Ends, Fixed8Ends> ReadThen(string path, int count) => new(new(path), new(path), count);

    private static ScenarioGroup TestItemGroup(string title, bool reads) =>
        new(title,
        [
            TestItem(Titles.InMemory, Role.Queue, reads, static (path, count) => new TestItemQueue(path, count, LargeSegments)),
            TestItem(Titles.DefaultOptions, Role.Queue, reads, static (path, count) => new TestItemQueue(path, count, null)),
            TestItem(Titles.OnDisk, Role.Queue, reads, static (path, count) => new TestItemQueue(path, count, LargeSegments), onDisk: true),
            TestItem(Titles.FilesCopy, Role.Floor, reads, static (path, count) => new TestItemCopy(path, count)),
            TestItem(Titles.FilesCopyOnDisk, Role.Rival, reads, static (path, count) => new TestItemCopy(path, count), onDisk: true),
        ])
        { Rounds = FewRounds };

    private static CountedScenario TestItem(string name, Role role, bool reads, Func<string, int, ITestItems> items, bool onDisk = false) =>
        new(name, role, TestItems, (path, count) => new TestItemWork(items(path, count), reads)) { OnDisk = onDisk };

    private static CountedScenario BodySend(int size) => new(Characters(size), Role.Queue, Bodies(size),
        (path, count) => new SendWork<VaryingSender<Body>>(new(path, size, Unread), count));

    private static CountedScenario BodyReceive(int size) => new(Characters(size), Role.Queue, Bodies(size), (path, count) =>
        new ReceiveWork<VaryingSender<Body>, QueueEnds<Body>>(new(path, size, Express), new(path, size, Express), count));

    private static ScenarioGroup OrdersSent() =>
        new("MSMQ paper: order of 50 lines, sent (nobody receives)",
        [
            new CountedScenario("express", Role.Queue, 100_000, static (path, count) =>
                new SendWork<QueueEnds<Purchase>>(new(path, TransportList.OrderLines, Unread), count)),
            new CountedScenario(Titles.Recoverable, Role.Queue, 20_000, static (path, count) =>
                new SendWork<WindowSender<Purchase>>(new(path, TransportList.OrderLines, Durable), count)) { OnDisk = true },
            new CountedScenario("transactional, batches of 64", Role.Queue, 20_000, static (path, count) =>
                new SendWork<TransactionSender<Purchase>>(new(path, TransportList.OrderLines, Durability.Commit), count))
            { OnDisk = true },
        ])
        { Rounds = FewRounds };

    private static ScenarioGroup OrdersReceived() =>
        new("MSMQ paper: order of 50 lines, received (sent before)",
        [
            new CountedScenario(
                "express", Role.Queue, 100_000, static (path, count) => new ReceiveWork<QueueEnds<Purchase>, QueueEnds<Purchase>>(
                new(path, TransportList.OrderLines, Express), new(path, TransportList.OrderLines, Express), count)),
            new CountedScenario(
                "recoverable", Role.Queue, 20_000, static (path, count) => new ReceiveWork<WindowSender<Purchase>, QueueEnds<Purchase>>(
                new(path, TransportList.OrderLines, Durable), new(path, TransportList.OrderLines, Durable), count)) { OnDisk = true },
            new CountedScenario("transactional, batches of 64", Role.Queue, 20_000, static (path, count) =>
                new ReceiveWork<TransactionSender<Purchase>, TransactionReceiver<Purchase>>(
                    new(path, TransportList.OrderLines, Durability.Commit), new(path, TransportList.OrderLines, Durability.Commit),
                    count))
            { OnDisk = true },
        ])
        { Rounds = FewRounds };

    private static ScenarioGroup Orders(WorkerSet workers) =>
        new(Titles.Orders,
        [
            OneWay(Titles.Express, "order", workers),
            OneWay(Titles.ExpressVarying, "order-varying", workers),
            OneWay(Titles.Recoverable, "order-recoverable", workers, onDisk: true),
            OneWay(Titles.Transactional, "order-transactional", workers, onDisk: true),
            OneWay("transactional, batches of 64, in shared memory", "order-transactional-express", workers),
        ]);

    private static OneWayScenario OneWay(string name, string transport, WorkerSet workers, bool onDisk = false) =>
        new(name, Role.Queue, TransportList.Get(transport), workers) { OnDisk = onDisk };

    private static long Bodies(int size) => Math.Min(MostBodies, BodyCharacters / Math.Max(1, size));

    private static string Characters(int size) => string.Create(CultureInfo.InvariantCulture, $"{size:#,0} characters");
}
