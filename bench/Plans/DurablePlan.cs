using BlitQueue.Bench.Floors;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Pairs;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Workloads;
using static BlitQueue.Bench.Plans.Plan;

namespace BlitQueue.Bench.Plans;

/// <summary>What a message costs that is on the disk when its enqueue returns, alone and in company.</summary>
internal static class DurablePlan
{
    private const int Company = 64;

    public static IEnumerable<ScenarioGroup> Groups() =>
    [
        new(Titles.Durable,
        [
            .. Native(Titles.Fdatasync, "fdatasync", NativeScenario.Here, onDisk: true),
            Row("bare msync of one page", FallbackFloor, DurableLoops.Msync),
            Row(Titles.CommitOne, Role.Queue, static (path, duration) => DurableLoops.Threads(path, duration, Durability.Commit, 1)),
            Row("Commit, one call awaited after the other", Role.Queue, static (path, duration) => DurableLoops.Awaited(path, duration, 1)),
            Row($"Commit, {Company} threads", Role.Queue,
                static (path, duration) => DurableLoops.Threads(path, duration, Durability.Commit, Company)),
            Row(Titles.CommitCompany, Role.Queue, static (path, duration) => DurableLoops.Awaited(path, duration, Company)),
            Row($"Commit, {16 * Company} calls awaited at a time", Role.Queue,
                static (path, duration) => DurableLoops.Awaited(path, duration, 16 * Company)),
            Row("Commit, one thread, batches of 64", Role.Queue, DurableLoops.Batches),
            Row("Interval of 50 ms, one thread", Role.Queue,
                static (path, duration) => DurableLoops.Threads(path, duration, Durability.Interval, 1)),
            Row("PageCache, one thread", Role.Queue,
                static (path, duration) => DurableLoops.Threads(path, duration, Durability.PageCache, 1)),
            new PairScenario<SqlitePair>(
                "SQLite, synchronous=FULL, insert and delete", Role.Peer, static path => new(path, 64, durable: true))
            { OnDisk = true, BatchSize = 1 },
        ]),
    ];

    private static DurableScenario Row(string name, Role role, Func<string, TimeSpan, DurableSample> measure) => new(name, role, measure)
    {
        OnDisk = true,
    };
}
