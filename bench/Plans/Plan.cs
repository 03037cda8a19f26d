using BlitQueue.Bench.Floors;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Plans;

/// <summary>What is measured beside what.</summary>
internal static class Plan
{
    public static IReadOnlyList<ScenarioGroup> Make(WorkerSet workers, long depth) =>
    [
        .. ThreadPlan.Groups(),
        .. ProcessPlan.Groups(workers),
        .. CallPlan.Groups(),
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
