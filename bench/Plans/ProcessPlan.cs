using System.Globalization;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Pairs;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;
using static BlitQueue.Bench.Plans.Plan;

namespace BlitQueue.Bench.Plans;

/// <summary>From process to process, as fast as it goes.</summary>
internal static class ProcessPlan
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(2);

    public static IEnumerable<ScenarioGroup> Groups(WorkerSet workers) =>
    [
        OneWay(8, workers),
        OneWay(64, workers),
        OneWay(1024, workers),
        Megabyte(workers),
        Contending(workers),
        Spinning(workers),
        Sleeping(Titles.Sleeping, "futex", TimeSpan.Zero, workers),
        Sleeping(Titles.Idle, "futex-idle", Pause, workers),
    ];

    private static ScenarioGroup OneWay(int size, WorkerSet workers) =>
        new(Titles.OneWay(size),
        [
            new OneWayScenario(Titles.InMemory, Role.Queue, TransportList.Get($"queue-{size}"), workers),
            new OneWayScenario(Titles.DefaultOptions, Role.Queue, TransportList.Get($"queue-{size}-default"), workers),
            new OneWayScenario(Titles.OnDisk, Role.Queue, TransportList.Get($"queue-{size}"), workers) { OnDisk = true },
            .. OnDiskByDefault(size, workers),
            new OneWayScenario("Unix domain socket", Role.Peer, TransportList.Get($"socket-{size}"), workers),
            new OneWayScenario("pipe", Role.Rival, TransportList.Get($"pipe-{size}"), workers),
            .. Sqlite(size, workers),
            new ThreadsScenario("Channel<T>, two threads of one process", Role.Rival, TransportList.Get($"channel-{size}")),
            Pair("Span.CopyTo, one thread", Role.Rival, _ => new CopyPair(size)),
            new OneWayScenario(Titles.Ring, FallbackFloor, TransportList.Get($"ring-{size}"), workers),
            .. Native(Titles.NativeRing, "ring", size.ToString(CultureInfo.InvariantCulture)),
        ]);

    private static IEnumerable<Scenario> OnDiskByDefault(int size, WorkerSet workers) => size < 1024 ? [] :
        [new OneWayScenario(Titles.OnDiskByDefault, Role.Queue, TransportList.Get($"queue-{size}-default"), workers) { OnDisk = true }];

    // Once is enough: it is the same at every size.
    private static IEnumerable<Scenario> Sqlite(int size, WorkerSet workers) =>
        size == 64 ? [new OneWayScenario("SQLite, not synced", Role.Rival, TransportList.Get("sqlite-64"), workers)] : [];

    private static ScenarioGroup Megabyte(WorkerSet workers) =>
        new(Titles.OneWay(TransportList.Megabyte),
        [
            new OneWayScenario(Titles.InMemory, Role.Queue, TransportList.Get("queue-1048576"), workers),
            new OneWayScenario("Unix domain socket", Role.Peer, TransportList.Get("socket-1048576"), workers),
            new OneWayScenario("pipe", Role.Rival, TransportList.Get("pipe-1048576"), workers),
            new OneWayScenario($"{Titles.Ring}, 20 slots", Role.Floor, TransportList.Get("ring-1048576"), workers),
        ])
        { MessageBytes = TransportList.Megabyte };

    private static ScenarioGroup Contending(WorkerSet workers) =>
        new(Titles.Contending,
        [
            Contending(Titles.FourProducers, "append", TransportList.Contenders, consumed: false, workers),
            Contending(Titles.OneProducerAlone, "append", 1, consumed: false, workers),
            Contending(Titles.FourToOne, "contend", TransportList.Contenders, consumed: true, workers),
            Contending(Titles.OneToOne, "contend", 1, consumed: true, workers),
        ]);

    private static ContendingScenario Contending(string name, string transport, int producers, bool consumed, WorkerSet workers)
    {
        Transport[] all = TransportList.Producers(transport, producers);
        return new ContendingScenario(name, Role.Queue, all, consumed ? all[0] : null, workers);
    }

    private static ScenarioGroup Spinning(WorkerSet workers) =>
        new(Titles.Spinning,
        [
            new RoundTripScenario(Titles.InMemory, Role.Queue, TransportList.Get("queue-spinning"), workers, TimeSpan.Zero),
            new RoundTripScenario(Titles.OnDisk, Role.Queue, TransportList.Get("queue-spinning"), workers, TimeSpan.Zero) { OnDisk = true },
            new RoundTripScenario("Unix domain socket, sleeping", Role.Peer, TransportList.Get("socket-64"), workers, TimeSpan.Zero),
            new RoundTripScenario("one word of a mapped file, in C#", FallbackFloor, TransportList.Get("word"), workers, TimeSpan.Zero),
            .. Native(Titles.NativeLine, "line"),
        ]);

    private static ScenarioGroup Sleeping(string title, string floor, TimeSpan idle, WorkerSet workers) =>
        OperatingSystem.IsWindows() ? SleepingOnWindows(title, idle, workers) : new(title,
        [
            new RoundTripScenario(Titles.InMemory, Role.Queue, TransportList.Get("queue-sleeping"), workers, idle),
            new RoundTripScenario("Unix domain socket", Role.Peer, TransportList.Get("socket-64"), workers, idle),
            new RoundTripScenario("pipe", Role.Rival, TransportList.Get("pipe-64"), workers, idle),
            .. idle != TimeSpan.Zero ? [] : Native("futex there and back on two processors, in C", "futex-pinned", role: Role.Rival),
            .. idle != TimeSpan.Zero ? [] : Native("futex there and back, each yields first, in C", "futex-yield", role: Role.Rival),
            .. Native(Titles.NativeFutex, floor),
        ]);

    private static ScenarioGroup SleepingOnWindows(string title, TimeSpan idle, WorkerSet workers) =>
        new(title,
        [
            new RoundTripScenario(Titles.InMemory, Role.Queue, TransportList.Get("queue-sleeping"), workers, idle),
            new RoundTripScenario("two events with names", Role.Floor, TransportList.Get("event"), workers, idle),
        ]);
}
