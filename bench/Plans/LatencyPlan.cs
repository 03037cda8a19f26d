using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Plans;

/// <summary>How late at a fixed rate.</summary>
internal static class LatencyPlan
{
    private const int PerSecond = 100_000;
    private static readonly int[] Rates = [10_000, PerSecond, 1_000_000];

    public static IEnumerable<ScenarioGroup> Groups(WorkerSet workers) =>
    [
        new(Titles.Latency,
        [
            OneWay(Titles.SpinningQueue, Role.Queue, "queue-spinning", workers),
            OneWay($"{Titles.OnDisk}, spinning", Role.Queue, "queue-spinning", workers, onDisk: true),
            OneWay($"{Titles.InMemory}, sleeping at once", Role.Queue, "queue-sleeping", workers),
            OneWay("Unix domain socket", Role.Peer, "socket-64", workers),
            OneWay("pipe", Role.Rival, "pipe-64", workers),
            OneWay(Titles.Ring, Role.Floor, "ring-64", workers),
            new BusyPaceScenario(Titles.BusyLoop, Role.Rival, TransportList.Get("nothing"), workers, PerSecond),
        ]),
        new(Titles.Enqueue,
        [
            Enqueue(Titles.EnqueueSmall, Role.Queue, "unread-64"),
            Enqueue(Titles.EnqueueLarge, Role.Queue, "unread-1024"),
            Enqueue($"{Titles.EnqueueSmall}, on disk", Role.Queue, "unread-64", onDisk: true),
            Enqueue($"{Titles.EnqueueLarge}, on disk", Role.Queue, "unread-1024", onDisk: true),
            Enqueue(Titles.EmptyLoop, Role.Floor, "nothing"),
        ]),
    ];

    /// <summary>At three rates, and what the machine itself does meanwhile: the verb of that name.</summary>
    public static IReadOnlyList<ScenarioGroup> AtAllRates(WorkerSet workers) => [.. Rates.Select(rate => At(rate, workers))];

    private static ScenarioGroup At(int rate, WorkerSet workers) =>
        new(Titles.LatencyAt(rate),
        [
            OneWay(Titles.SpinningQueue, Role.Queue, "queue-rolling", workers, rate: rate),
            OneWay(Titles.DefaultOptions, Role.Queue, "queue-64-default", workers, rate: rate),
            OneWay(Titles.OnDiskByDefault, Role.Queue, "queue-64-default", workers, onDisk: true, rate),
            OneWay("Unix domain socket", Role.Peer, "socket-64", workers, rate: rate),
            new PaceScenario(Titles.EmptyLoop, Role.Floor, TransportList.Get("nothing"), rate),
            new BusyPaceScenario(Titles.BusyLoop, Role.Rival, TransportList.Get("nothing"), workers, rate),
        ])
        { Rounds = 3 };

    private static LatencyScenario OneWay(
        string name, Role role, string transport, WorkerSet workers, bool onDisk = false, int rate = PerSecond) =>
        new(name, role, TransportList.Get(transport), workers, rate) { OnDisk = onDisk };

    private static PaceScenario Enqueue(string name, Role role, string transport, bool onDisk = false) =>
        new(name, role, TransportList.Get(transport), PerSecond) { OnDisk = onDisk };
}
