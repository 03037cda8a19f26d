using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Plans;

/// <summary>How late at a fixed rate.</summary>
internal static class LatencyPlan
{
    private const int PerSecond = 100_000;

    public static IEnumerable<ScenarioGroup> Groups(WorkerSet workers) =>
    [
        new(Titles.Latency,
        [
            OneWay($"{Titles.InMemory}, spinning", Role.Queue, "queue-spinning", workers),
            OneWay($"{Titles.OnDisk}, spinning", Role.Queue, "queue-spinning", workers, onDisk: true),
            OneWay($"{Titles.InMemory}, sleeping at once", Role.Queue, "queue-sleeping", workers),
            OneWay("Unix domain socket", Role.Peer, "socket-64", workers),
            OneWay("pipe", Role.Rival, "pipe-64", workers),
            OneWay(Titles.Ring, Role.Floor, "ring-64", workers),
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

    private static LatencyScenario OneWay(string name, Role role, string transport, WorkerSet workers, bool onDisk = false) =>
        new(name, role, TransportList.Get(transport), workers, PerSecond) { OnDisk = onDisk };

    private static PaceScenario Enqueue(string name, Role role, string transport, bool onDisk = false) =>
        new(name, role, TransportList.Get(transport), PerSecond) { OnDisk = onDisk };
}
