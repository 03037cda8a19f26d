using System.Globalization;
using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Pairs;
using BlitQueue.Bench.Peers;
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
            new OneWayScenario(Titles.InMemory, Role.Queue, Transports.Get($"queue-{size}"), peers),
            new OneWayScenario(Titles.OnDisk, Role.Queue, Transports.Get($"queue-{size}"), peers) { OnDisk = true },
            new OneWayScenario("Unix domain socket", Role.Peer, Transports.Get($"socket-{size}"), peers),
            new OneWayScenario("pipe", Role.Rival, Transports.Get($"pipe-{size}"), peers),
            .. Sqlite(size, peers),
            new ThreadsScenario("Channel<T>, two threads of one process", Role.Rival, Transports.Get($"channel-{size}")),
            Pair("Span.CopyTo, one thread", Role.Rival, _ => new CopyPair(size)),
            new OneWayScenario(Titles.Ring, FloorElse, Transports.Get($"ring-{size}"), peers),
            .. Native(Titles.NativeRing, "ring", size.ToString(CultureInfo.InvariantCulture)),
        ]);

    // Once is enough: it is the same at every size.
    private static IEnumerable<Scenario> Sqlite(int size, PeerSet peers) =>
        size == 64 ? [new OneWayScenario("SQLite, not synced", Role.Rival, Transports.Get("sqlite-64"), peers)] : [];

    private static ScenarioGroup Megabyte(PeerSet peers) =>
        new(Titles.OneWay(Transports.Megabyte),
        [
            new OneWayScenario(Titles.InMemory, Role.Queue, Transports.Get("queue-1048576"), peers),
            new OneWayScenario("Unix domain socket", Role.Peer, Transports.Get("socket-1048576"), peers),
            new OneWayScenario("pipe", Role.Rival, Transports.Get("pipe-1048576"), peers),
            new OneWayScenario($"{Titles.Ring}, 20 slots", Role.Floor, Transports.Get("ring-1048576"), peers),
        ]) { MessageBytes = Transports.Megabyte };

    private static ScenarioGroup Contending(PeerSet peers) =>
        new(Titles.Contending,
        [
            Contending(Titles.FourProducers, "append", Transports.Contenders, consumed: false, peers),
            Contending(Titles.OneProducerAlone, "append", 1, consumed: false, peers),
            Contending(Titles.FourToOne, "contend", Transports.Contenders, consumed: true, peers),
            Contending(Titles.OneToOne, "contend", 1, consumed: true, peers),
        ]);

    private static ContendingScenario Contending(string name, string transport, int producers, bool consumed, PeerSet peers)
    {
        Transport[] all = Transports.Producers(transport, producers);
        return new ContendingScenario(name, Role.Queue, all, consumed ? all[0] : null, peers);
    }

    private static ScenarioGroup Spinning(PeerSet peers) =>
        new(Titles.Spinning,
        [
            new RoundTripScenario(Titles.InMemory, Role.Queue, Transports.Get("queue-spinning"), peers, TimeSpan.Zero),
            new RoundTripScenario(Titles.OnDisk, Role.Queue, Transports.Get("queue-spinning"), peers, TimeSpan.Zero) { OnDisk = true },
            new RoundTripScenario("Unix domain socket, sleeping", Role.Peer, Transports.Get("socket-64"), peers, TimeSpan.Zero),
            new RoundTripScenario("one word of a mapped file, in C#", FloorElse, Transports.Get("word"), peers, TimeSpan.Zero),
            .. Native(Titles.NativeLine, "line"),
        ]);

    private static ScenarioGroup Sleeping(string title, string floor, TimeSpan idle, PeerSet peers) =>
        new(title,
        [
            new RoundTripScenario(Titles.InMemory, Role.Queue, Transports.Get("queue-sleeping"), peers, idle),
            new RoundTripScenario("Unix domain socket", Role.Peer, Transports.Get("socket-64"), peers, idle),
            new RoundTripScenario("pipe", Role.Rival, Transports.Get("pipe-64"), peers, idle),
            .. idle == TimeSpan.Zero ? Native("futex there and back on two processors, in C", "futex-pinned", role: Role.Rival) : [],
            .. Native(Titles.NativeFutex, floor),
        ]);
}
