using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Pairs;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;
using static BlitQueue.Bench.Plans.Plan;

namespace BlitQueue.Bench.Plans;

/// <summary>In and out on one thread.</summary>
internal static class ThreadPlan
{
    private const int LargeBatch = 16;

    public static IEnumerable<ScenarioGroup> Groups() =>
    [
        OneThread<Fixed8Ends, Words1>(8, static (path, options) => new(path, options)),
        OneThread<Fixed64Ends, Words8>(64, static (path, options) => new(path, options)),
        OneThread<Fixed1024Ends, Words128>(1024, static (path, options) => new(path, options)),
        AsUsersWrite<Words1>(8, DeskPair.Tick),
        AsUsersWrite<Words8>(
            64, DeskPair.Quote,
            (Titles.ByDelegate, DeskPair.ByDelegate), (Titles.Generically, DeskPair.Generically),
            (Titles.Asynchronously, DeskPair.Asynchronously)),
        AsUsersWrite<Words128>(1024, DeskPair.Book),
        Listening(),
        Instruments(),
        Watching(),
        Megabyte(),
    ];

    private static ScenarioGroup AsUsersWrite<TWords>(
        int size, Func<Desk, long, long> byMethod, params (string Name, Func<Desk, long, long> Deliver)[] others)
        where TWords : struct, IWords =>
        new(Titles.AsUsersWrite(size),
        [
            Pair(Titles.ByMethod, Role.Queue, path => new DeskPair(path, byMethod)),
            .. others.Select(static other => Pair(other.Name, Role.Queue, path => new DeskPair(path, other.Deliver))),
            Pair(Titles.Channel, Role.Peer, static _ => new CollectionDeskPair<TWords>(CollectionDeskPair<TWords>.Channel)),
            Pair(Titles.ConcurrentQueue, Role.Rival, static _ => new CollectionDeskPair<TWords>(CollectionDeskPair<TWords>.Queue)),
        ]);

    private static ScenarioGroup Listening() =>
        new(Titles.Listening,
        [
            Pair(Titles.Nobody, Role.Floor, static path => new Fixed64Ends(path)),
            Pair(Titles.MetricsListen, Role.Queue, static path => new MeteredPair(path)),
            Pair(Titles.TracesListen, Role.Queue, static path => new TracedPair(path)),
        ]);

    private static ScenarioGroup Instruments() =>
        new(Titles.Instruments,
        [
            new PairElsewhereScenario(Titles.WithoutInstruments, Role.Floor, isBare: true),
            new PairElsewhereScenario(Titles.WithInstruments, Role.Queue, isBare: false),
            new PairElsewhereScenario(Titles.WithInstrumentsToo, Role.Queue, isBare: false),
        ]);

    private static ScenarioGroup Watching() =>
        new(Titles.Watching,
        [
            Pair(Titles.Unwatched, Role.Floor, static path => new Fixed64Ends(path)),
            .. ToolProcess.Program is null ? (Scenario[])[] :
            [
                Watched(Titles.TailFollows, static path => ToolProcess.Look(path, "tail", "-f")),
                Watched(Titles.StatRepeats, static path => ToolProcess.Look(path, "stat", "--every", "0.1")),
                Watched(Titles.PageShows, ToolProcess.Serve),
            ],
        ]);

    private static PairScenario<WatchedPair> Watched(string name, Func<string, ToolProcess> look) =>
        Pair(name, Role.Queue, path => new WatchedPair(path, look));

    private static ScenarioGroup OneThread<TEnds, TWords>(
        int size, Func<string, QueueOptions?, TEnds> open) where TEnds : struct, IPair where TWords : struct, IWords =>
        new(Titles.OneThread(size),
        [
            Pair(Titles.FixedMembers, Role.Queue, path => open(path, null)),
            Pair(Titles.SmallSegments, Role.Queue, path => open(path, TransportList.Streaming)),
            Pair($"{Titles.InMemory}, byte array", Role.Queue, path => new ByteEnds(path, size)),
            Pair($"{Titles.OnDisk}, fixed members", Role.Queue, path => open(path, null), onDisk: true),
            Pair(Titles.Channel, Role.Peer, _ => new ChannelPair<TWords>()),
            Pair(Titles.ConcurrentQueue, Role.Rival, _ => new ConcurrentQueuePair<TWords>()),
            new PairScenario<SqlitePair>("SQLite, not synced", Role.Rival, path => new SqlitePair(path, size, durable: false))
            { BatchSize = LargeBatch },
            .. size == sizeof(long) ? RivalRows.Pairs() : [],
            Pair("two compare-exchanges", Role.Rival, _ => new TwoExchangesPair()),
            Pair("Span.CopyTo", Role.Floor, _ => new CopyPair(size)),
        ]);

    private static ScenarioGroup Megabyte() =>
        new(Titles.MegabyteThread,
        [
            new PairScenario<ByteEnds>(
                Titles.InMemory, Role.Queue, path => new(path, TransportList.Megabyte, TransportList.StreamingLarge))
            { BatchSize = LargeBatch },
            new PairScenario<MappedCopyPair>(Titles.MappedCopy, Role.Floor, path => new(path, TransportList.Megabyte))
            { BatchSize = LargeBatch },
            new PairScenario<CopyPair>("Span.CopyTo, once, from array to array", Role.Rival, _ => new(TransportList.Megabyte))
            { BatchSize = LargeBatch },
        ])
        { MessageBytes = TransportList.Megabyte };
}
