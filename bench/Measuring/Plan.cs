using BlitQueue.Bench.Links;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Pairs;
using BlitQueue.Bench.Peers;

namespace BlitQueue.Bench.Measuring;

/// <summary>What is measured beside what.</summary>
internal static class Plan
{
    private const string InMemory = "queue in shared memory", OnDisk = "queue on disk, with checksums";
    private static readonly TimeSpan Idle = TimeSpan.FromMilliseconds(2);

    public static IReadOnlyList<ScenarioGroup> Make(Peer peer) =>
    [
        OneThread<Fixed8, Words1>(8),
        OneThread<Fixed64, Words8>(64),
        OneThread<Fixed1024, Words128>(1024),
        OneWay(8, peer),
        OneWay(64, peer),
        OneWay(1024, peer),
        Spinning(peer),
        Sleeping(peer),
    ];

    private static ScenarioGroup OneThread<T, TWords>(int size) where T : class, IBenchMessage<T> where TWords : struct, IWords =>
        new($"Enqueue and dequeue on one thread, {size} bytes",
        [
            Pair($"{InMemory}, fixed members", Role.Queue, place => new QueuePair<T>(place, size)),
            Pair($"{InMemory}, byte array", Role.Queue, place => new QueuePair<ByteMessage>(place, size)),
            Pair($"{OnDisk}, fixed members", Role.Queue, place => new QueuePair<T>(place, size), onDisk: true),
            Pair("Channel<T>, unbounded", Role.Peer, _ => new ChannelPair<TWords>()),
            Pair("ConcurrentQueue<T>", Role.Rival, _ => new ConcurrentQueuePair<TWords>()),
            Pair("Span.CopyTo", Role.Floor, _ => new CopyPair(size)),
        ]);

    private static ScenarioGroup OneWay(int size, Peer peer) =>
        new($"One producer process to one consumer process, {size} bytes",
        [
            new OneWayScenario(InMemory, Role.Queue, Transports.Get($"queue-{size}"), peer),
            new OneWayScenario(OnDisk, Role.Queue, Transports.Get($"queue-{size}"), peer) { OnDisk = true },
            new OneWayScenario("Unix domain socket", Role.Peer, Transports.Get($"socket-{size}"), peer),
            new ThreadsScenario("Channel<T>, two threads of one process", Role.Rival, Transports.Get($"channel-{size}")),
            Pair("Span.CopyTo, one thread", Role.Rival, _ => new CopyPair(size)),
            new OneWayScenario("bare ring in shared memory", Role.Floor, Transports.Get($"ring-{size}"), peer),
        ]);

    private static ScenarioGroup Spinning(Peer peer) =>
        new("Round trip between two processes, 64 bytes, spinning",
        [
            new RoundTripScenario(InMemory, Role.Queue, Transports.Get("queue-spinning"), peer, TimeSpan.Zero),
            new RoundTripScenario(OnDisk, Role.Queue, Transports.Get("queue-spinning"), peer, TimeSpan.Zero) { OnDisk = true },
            new RoundTripScenario("Unix domain socket, sleeping", Role.Peer, Transports.Get("socket-64"), peer, TimeSpan.Zero),
            new RoundTripScenario("one word of a mapped file", Role.Floor, Transports.Get("word"), peer, TimeSpan.Zero),
        ]);

    private static ScenarioGroup Sleeping(Peer peer) =>
        new("Round trip between two processes, 64 bytes, both asleep, after 2 ms of idleness",
        [
            new RoundTripScenario(InMemory, Role.Queue, Transports.Get("queue-sleeping"), peer, Idle),
            new RoundTripScenario("Unix domain socket", Role.Peer, Transports.Get("socket-64"), peer, Idle),
        ]);

    private static PairScenario<TPair> Pair<TPair>(string name, Role role, Func<string, TPair> open, bool onDisk = false)
        where TPair : struct, IPair => new(name, role, open) { OnDisk = onDisk };
}
