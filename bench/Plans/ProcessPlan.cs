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

    public static IEnumerable<ScenarioGroup> Groups(PeerSet peers) =>
    [
        OneWay(8, peers),
        OneWay(64, peers),
        OneWay(1024, peers),
        Megabyte(peers),
        Contending(peers),
        Spinning(peers),
        Sleeping(Titles.Sleeping, "futex", TimeSpan.Zero, peers),
        Sleeping(Titles.Idle, "futex-idle", Pause, peers),
    ];

    private static ScenarioGroup OneWay(int size, PeerSet peers) =>
        new(Titles.OneWay(size),
        [
            new OneWayScenario(Titles.InMemory, Role.Queue, TransportList.Get($"queue-{size}"), peers),
            new OneWayScenario(Titles.OnDisk, Role.Queue, TransportList.Get($"queue-{size}"), peers) { OnDisk = true },
            new OneWayScenario("Unix domain socket", Role.Peer, TransportList.Get($"socket-{size}"), peers),
            new OneWayScenario("pipe", Role.Rival, TransportList.Get($"pipe-{size}"), peers),
            .. Sqlite(size, peers),
            new ThreadsScenario("Channel<T>, two threads of one process", Role.Rival, TransportList.Get($"channel-{size}")),
            Pair("Span.CopyTo, one thread", Role.Rival, _ => new CopyPair(size)),
            new OneWayScenario(Titles.Ring, FloorElse, TransportList.Get($"ring-{size}"), peers),
            .. Native(Titles.NativeRing, "ring", size.ToString(CultureInfo.InvariantCulture)),
        ]);

    // Once is enough: it is the same at every size.
    private static IEnumerable<Scenario> Sqlite(int size, PeerSet peers) =>
        size == 64 ? [new OneWayScenario("SQLite, not synced", Role.Rival, TransportList.Get("sqlite-64"), peers)] : [];

    private static ScenarioGroup Megabyte(PeerSet peers) =>
        new(Titles.OneWay(TransportList.Megabyte),
        [
            new OneWayScenario(Titles.InMemory, Role.Queue, TransportList.Get("queue-1048576"), peers),
            new OneWayScenario("Unix domain socket", Role.Peer, TransportList.Get("socket-1048576"), peers),
            new OneWayScenario("pipe", Role.Rival, TransportList.Get("pipe-1048576"), peers),
            new OneWayScenario($"{Titles.Ring}, 20 slots", Role.Floor, TransportList.Get("ring-1048576"), peers),
        ]) { MessageBytes = TransportList.Megabyte };

    private static ScenarioGroup Contending(PeerSet peers) =>
        new(Titles.Contending,
        [
            Contending(Titles.FourProducers, "append", TransportList.Contenders, consumed: false, peers),
            Contending(Titles.OneProducerAlone, "append", 1, consumed: false, peers),
            Contending(Titles.FourToOne, "contend", TransportList.Contenders, consumed: true, peers),
            Contending(Titles.OneToOne, "contend", 1, consumed: true, peers),
        ]);

    private static ContendingScenario Contending(string name, string transport, int producers, bool consumed, PeerSet peers)
    {
        Transport[] all = TransportList.Producers(transport, producers);
        return new ContendingScenario(name, Role.Queue, all, consumed ? all[0] : null, peers);
    }

    private static ScenarioGroup Spinning(PeerSet peers) =>
        new(Titles.Spinning,
        [
            new RoundTripScenario(Titles.InMemory, Role.Queue, TransportList.Get("queue-spinning"), peers, TimeSpan.Zero),
            new RoundTripScenario(Titles.OnDisk, Role.Queue, TransportList.Get("queue-spinning"), peers, TimeSpan.Zero) { OnDisk = true },
            new RoundTripScenario("Unix domain socket, sleeping", Role.Peer, TransportList.Get("socket-64"), peers, TimeSpan.Zero),
            new RoundTripScenario("one word of a mapped file, in C#", FloorElse, TransportList.Get("word"), peers, TimeSpan.Zero),
            .. Native(Titles.NativeLine, "line"),
        ]);

    private static ScenarioGroup Sleeping(string title, string floor, TimeSpan idle, PeerSet peers) =>
        new(title,
        [
            new RoundTripScenario(Titles.InMemory, Role.Queue, TransportList.Get("queue-sleeping"), peers, idle),
            new RoundTripScenario("Unix domain socket", Role.Peer, TransportList.Get("socket-64"), peers, idle),
            new RoundTripScenario("pipe", Role.Rival, TransportList.Get("pipe-64"), peers, idle),
            .. idle == TimeSpan.Zero ? Native("futex there and back on two processors, in C", "futex-pinned", role: Role.Rival) : [],
            .. Native(Titles.NativeFutex, floor),
        ]);
}
