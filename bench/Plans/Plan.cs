using BlitQueue.Bench.Calling;
using BlitQueue.Bench.Floors;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Operations;
using BlitQueue.Bench.Pairs;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Workers;
using BlitQueue.Bench.Workloads;
using static BlitQueue.Bench.Plans.Plan;

namespace BlitQueue.Bench.Plans;

/// <summary>What is measured beside what.</summary>
internal static class Plan
{
    public static IReadOnlyList<ScenarioGroup> Make(WorkerSet workers, long depth) =>
    [
        .. ThreadPlan.Groups(),
        .. ProcessPlan.Groups(workers),
        .. CallPlan.Groups(),
        .. SharedPlan.Groups(),
        .. LatencyPlan.Groups(workers),
        .. DurablePlan.Groups(),
        .. WorkloadPlan.Groups(workers),
        // Last: the system goes on writing what it fills long after it was filled.
        .. DepthPlan.Groups(depth),
    ];

    public static PairScenario<TPair> Pair<TPair>(string name, Role role, Func<string, TPair> open, bool onDisk = false)
        where TPair : struct, IPair => new(name, role, open) { OnDisk = onDisk };

    /// <summary>A floor in C; nothing where it cannot be compiled.</summary>
    public static IEnumerable<Scenario> Native(
        string name, string floor, string argument = "", Role role = Role.Floor, bool onDisk = false) =>
        NativeFloors.Program is null ? [] : [new NativeScenario(name, role, floor, argument) { OnDisk = onDisk }];

    /// <summary>What is a floor where the one in C is missing.</summary>
    public static Role FallbackFloor => NativeFloors.Program is null ? Role.Floor : Role.Rival;
}

/// <summary>Rows of rivals whose packages are asked for by a property of the build: the other part stands in Rivals/.</summary>
internal static partial class RivalRows
{
    /// <summary>8 bytes in and out on one thread; none where the property is not set.</summary>
    public static IEnumerable<Scenario> Pairs()
    {
        List<Scenario> rows = [];
        AddPairs(rows);
        return rows;
    }

    static partial void AddPairs(List<Scenario> rows);

    /// <summary>Calls between two processes; none where the property is not set.</summary>
    public static IEnumerable<Scenario> Calls()
    {
        List<Scenario> rows = [];
        AddCalls(rows);
        return rows;
    }

    static partial void AddCalls(List<Scenario> rows);
}

/// <summary>Calls of a server in another process.</summary>
internal static class CallPlan
{
    private const int Small = 8, Medium = 1024, Large = 512 << 10, Company = 64;

    public static IEnumerable<ScenarioGroup> Groups() =>
    [
        new(Titles.CallsSpinning,
        [
            new CallScenario(Titles.OneKilobyte, Errand.ServeSpinning, Medium),
            .. NativeCall("1024 bytes", Medium),
            new CallScenario("8 bytes", Errand.ServeSpinning, Small),
            .. NativeCall("8 bytes", Small),
            new CallScenario(Titles.Company, Errand.ServeSpinning, Small, Company),
            Pair("Span.CopyTo, 1024 bytes", Role.Rival, static _ => new CopyPair(Medium)),
            .. RivalRows.Calls(),
            .. Native(Titles.NativeLine, "line"),
        ]),
        new(Titles.CallsSleeping,
        [
            new CallScenario(Titles.OneKilobyte, Errand.ServeSleeping, Medium),
            .. Native("futex there and back on two processors, in C", "futex-pinned", role: Role.Rival),
            .. Native(Titles.NativeFutex, "futex"),
        ]),
        new(Titles.CallsLong,
        [
            new CallScenario(Titles.LongRequest, Errand.ServeSpinning, Large),
            new CallScenario(Titles.LongInPlace, Errand.ServeInPlace, Large),
            new CallScenario(Titles.LongRequest + ", 64 calls in flight", Errand.ServeSpinning, Large, Company),
            .. NativeCall(Titles.LongRequest, Large),
            Pair(Titles.CopyLong, Role.Floor, static _ => new CopyPair(Large)),
        ]),
    ];

    private static IEnumerable<Scenario> NativeCall(string request, int size) =>
        Native($"{request}, {Titles.NativeCall}", "call", $"{size}", Role.Rival);
}

/// <summary>Memory that processes share, without calls or messages; one thread alone.</summary>
internal static class SharedPlan
{
    public static IEnumerable<ScenarioGroup> Groups() =>
    [
        new(Titles.SharedRead, Array(writes: false)),
        new(Titles.SharedWrite, Array(writes: true)),
        new(Titles.SharedValue,
        [
            new ElementScenario<ValueElements>(Titles.ValueRead, Role.Queue, static path => new(path, writes: false)),
            new ElementScenario<ValueElements>(Titles.ValueWrite, Role.Queue, static path => new(path, writes: true)),
        ]),
    ];

    private static Scenario[] Array(bool writes) =>
    [
        new ElementScenario<ArrayElements>(Titles.ByIndex, Role.Queue, path => new(path, writes)),
        new ElementScenario<CheckedElements>(Titles.ByCheckedPointer, Role.Queue, path => new(path, writes)),
        new ElementScenario<BareElements>(Titles.ByPointer, Role.Floor, path => new(path, writes)),
    ];
}

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
