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
            new LatencyScenario($"{Titles.InMemory}, spinning", Role.Queue, TransportList.Get("queue-spinning"), workers, PerSecond),
            new LatencyScenario($"{Titles.OnDisk}, spinning", Role.Queue, TransportList.Get("queue-spinning"), workers, PerSecond) { OnDisk = true },
            new LatencyScenario($"{Titles.InMemory}, sleeping at once", Role.Queue, TransportList.Get("queue-sleeping"), workers, PerSecond),
            new LatencyScenario("Unix domain socket", Role.Peer, TransportList.Get("socket-64"), workers, PerSecond),
            new LatencyScenario("pipe", Role.Rival, TransportList.Get("pipe-64"), workers, PerSecond),
            new LatencyScenario(Titles.Ring, Role.Floor, TransportList.Get("ring-64"), workers, PerSecond),
        ]),
        new(Titles.Enqueue,
        [
            new PaceScenario(Titles.EnqueueSmall, Role.Queue, TransportList.Get("unread-64"), PerSecond),
            new PaceScenario(Titles.EnqueueLarge, Role.Queue, TransportList.Get("unread-1024"), PerSecond),
            new PaceScenario($"{Titles.EnqueueSmall}, on disk", Role.Queue, TransportList.Get("unread-64"), PerSecond) { OnDisk = true },
            new PaceScenario($"{Titles.EnqueueLarge}, on disk", Role.Queue, TransportList.Get("unread-1024"), PerSecond) { OnDisk = true },
            new PaceScenario(Titles.EmptyLoop, Role.Floor, TransportList.Get("nothing"), PerSecond),
        ]),
    ];
}
