using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Plans;
using static BlitQueue.Bench.Promises.PromiseKind;

namespace BlitQueue.Bench.Promises;

/// <summary>What has to hold.</summary>
internal static class PromiseList
{
    private const double Microsecond = 1e3, Second = 1e9, Megabyte = 1e6;

    /// <param name="depth">Bytes of the deep queue.</param>
    public static IReadOnlyList<Promise> All(long depth) =>
    [
        new("enqueue + dequeue, one thread, 8 bytes", Titles.OneThread(8), Titles.FixedMembers, Titles.ConcurrentQueue, TimesAsLong, 1.5),
        new("enqueue + dequeue, one thread, 8 bytes", Titles.OneThread(8), Titles.FixedMembers, Titles.Channel, TimesAsLong, 1),
        .. AsUsersWrite(8, 1.2), .. AsUsersWrite(64, 1.1), .. AsUsersWrite(1024, 1.2),
        .. Crossing(8, 3), .. Crossing(64, 3), .. Crossing(1024, 1.7),
        new("process to process, 1024 bytes, on disk, default options",
            Titles.OneWay(1024), Titles.OnDiskByDefault, Titles.NativeRing, TimesAsLong, 3),
        .. ByDefault(8), .. ByDefault(64), .. ByDefault(1024),
        ByDefault(Titles.OneWay(1024), Titles.OnDiskByDefault, Titles.OnDisk),
        ByDefault(Titles.FilesWrite, Titles.DefaultOptions, Titles.InMemory),
        ByDefault(Titles.FilesRead, Titles.DefaultOptions, Titles.InMemory),
        new("enqueue + dequeue, one thread, 64 bytes, while metrics are collected",
            Titles.Listening, Titles.MetricsListen, Titles.Nobody, TimesAsLong, 1.03),
        new("enqueue + dequeue, one thread, 64 bytes, while nobody listens",
            Titles.Instruments, Titles.WithInstruments, Titles.WithoutInstruments, TimesAsLong, 1.03),
        Watched(Titles.TailFollows), Watched(Titles.StatRepeats), Watched(Titles.PageShows),
        new("round trip, spinning", Titles.Spinning, Titles.InMemory, Titles.NativeLine, TimesAsLong, 1.5),
        new("round trip, sleeping", Titles.Sleeping, Titles.InMemory, Titles.NativeFutex, TimesAsLong, 1),
        new("round trip, sleeping, after 2 ms of idleness", Titles.Idle, Titles.InMemory, Titles.NativeFutex, TimesAsLong, 1.3)
        { Figure = static sample => sample.SteadyNs ?? sample.Ns },
        // Two copies of 1 KB take a third of a cache line's way there and back.
        Call("call of 1 KB, spinning", Titles.CallsSpinning, Titles.OneKilobyte, Titles.NativeLine, TimesAsLong, 3.3),
        Call("call of 1 KB, spinning", Titles.CallsSpinning, Titles.OneKilobyte, null, AtMost, 1.2 * Microsecond),
        Call("call of 1 KB, asleep", Titles.CallsSleeping, Titles.OneKilobyte, Titles.NativeFutex, TimesAsLong, 1.3),
        Call("call with a request of 512 KB", Titles.CallsLong, Titles.LongRequest, Titles.CopyLong, TimesAsLong, 2),
        Call("64 calls in flight", Titles.CallsSpinning, Titles.Company, null, PerSecond, 1.5e6),
        new("4 producers contending", Titles.Contending, Titles.FourProducers, null, PerSecond, 10e6),
        new("4 producers contending, beside one", Titles.Contending, Titles.FourProducers, Titles.OneProducerAlone, TimesAsMany, 0.5),
        new("4 producers contending, with a consumer", Titles.Contending, Titles.FourToOne, null, PerSecond, 10e6),
        new("4 producers contending, with a consumer, beside one", Titles.Contending, Titles.FourToOne, Titles.OneToOne, TimesAsMany, 0.5),
        .. Files("in memory", Titles.InMemory, Titles.FilesCopy), .. Files("on disk", Titles.OnDisk, Titles.FilesCopyOnDisk),
        Allocated("write", Titles.FilesWrite), Allocated("read", Titles.FilesRead),
        new("1 MB messages", Titles.MegabyteThread, Titles.InMemory, Titles.MappedCopy, TimesAsMany, 0.8),
        Order(Titles.Express, 500_000), Order(Titles.ExpressVarying, 500_000), Order(Titles.Recoverable, 50_000),
        Order(Titles.Transactional, 30_000),
        new("durable single appends, 1 in flight", Titles.Durable, Titles.CommitOne, Titles.Fdatasync, TimesAsLong, 1.2),
        new("durable single appends, 64 in flight", Titles.Durable, Titles.CommitCompany, Titles.Fdatasync, TimesAsMany, 25),
        Enqueue(Titles.EnqueueSmall), Enqueue(Titles.EnqueueLarge), Delivered(Titles.Latency),
        Depth("in shared memory", Titles.Depth, depth), Depth("on disk", Titles.DepthOnDisk, depth),
        new($"depth {Titles.Size(depth)}, reopen after SIGKILL", Titles.Reopen, Titles.DepthOf(depth), null, AtMost, Second),
        new("10,000,000 idle messages, resident memory of a consumer",
            Titles.ResidentMemory, Titles.IdleMessages, Titles.NoMessages, AtMost, 100 * Megabyte)
        { Figure = static sample => sample.Resident, Unit = Unit.Bytes },
    ];

    /// <summary>Of the verb that measures latencies alone.</summary>
    public static IReadOnlyList<Promise> Latencies() => [Delivered(Titles.LatencyAt(100_000))];

    /// <summary>Of many producers and consumers.</summary>
    public static IReadOnlyList<Promise> Scale() =>
    [
        .. Crowd(Titles.ProcessesAppend), .. Crowd(Titles.ThreadsAppend),
        .. Crowd(Titles.ProcessesExchange), .. Crowd(Titles.ThreadsExchange),
    ];

    private static Promise[] Crowd(string title) =>
    [
        new($"{title}: 128 beside one", title, Titles.Each(128), Titles.Each(1), TimesAsMany, 0.7),
        new($"{title}: least beside most of 128", title, Titles.Each(128), null, AtLeast, 0.25)
        { Figure = static sample => sample.Fairness, Unit = Unit.Share },
    ];

    private static Promise[] AsUsersWrite(int size, double limit) =>
    [
        new($"as users write it, {size} bytes", Titles.AsUsersWrite(size), Titles.ByMethod, Titles.ConcurrentQueue, TimesAsLong, limit),
        new($"as users write it, {size} bytes", Titles.AsUsersWrite(size), Titles.ByMethod, Titles.Channel, TimesAsLong, 1),
    ];

    // The server's process is new each time: its code is compiled in the first tenth of a second.
    private static Promise Call(string work, string title, string row, string? beside, PromiseKind kind, double limit) =>
        new(work, title, row, beside, kind, limit) { Figure = static sample => sample.SteadyNs ?? sample.Ns };

    private static Promise[] Crossing(int size, double limit) =>
    [
        Crossing($"process to process, {size} bytes", size, Titles.InMemory, limit),
        Crossing($"process to process, {size} bytes, default options", size, Titles.DefaultOptions, limit),
    ];

    private static Promise Crossing(string work, int size, string row, double limit) =>
        new(work, Titles.OneWay(size), row, Titles.NativeRing, TimesAsLong, limit);

    private static Promise[] ByDefault(int size) =>
    [
        ByDefault(Titles.OneThread(size), Titles.FixedMembers, Titles.SmallSegments),
        ByDefault(Titles.OneWay(size), Titles.DefaultOptions, Titles.InMemory),
    ];

    private static Promise ByDefault(string title, string row, string tuned) =>
        new($"default options: {title}", title, row, tuned, TimesAsLong, 1.15);

    private static Promise[] Files(string medium, string row, string copy) =>
    [
        new($"MappedFileQueues' messages, {medium}, write", Titles.FilesWrite, row, copy, TimesAsLong, 1.2),
        new($"MappedFileQueues' messages, {medium}, read into an instance", Titles.FilesRead, row, copy, TimesAsLong, 1.7),
    ];

    // A hundredth of a byte for each message is what opening the queue and its segments takes, spread over them.
    private static Promise Allocated(string work, string title) =>
        new($"MappedFileQueues' messages, {work}: allocated by the queue, each", title, Titles.InMemory, Titles.FilesCopy, AtMostMore, 0.01)
        { Figure = static sample => sample.AllocatedHere, Unit = Unit.Bytes };

    private static Promise Order(string row, double perSecond) =>
        new($"order of 50 lines, {row}", Titles.Orders, row, null, PerSecond, perSecond);

    private static Promise Watched(string tool) =>
        new($"enqueue + dequeue, one thread, 64 bytes, beside {tool}", Titles.Watching, tool, Titles.Unwatched, TimesAsLong, 1.05);

    private static Promise Depth(string medium, string title, long depth) =>
        new(
            $"depth {Titles.Size(depth)} {medium}, cost per message beside 10 MB", title, Titles.DepthOf(depth), Titles.Shallow,
            TimesAsLong, 1.1);

    private static Promise Enqueue(string row) =>
        new($"p99.9 of an enqueue at 100,000/s, {row}", Titles.Enqueue, row, Titles.EmptyLoop, AtMost, 10 * Microsecond)
        { Figure = static sample => sample.Latency?.P999, CalmBelow = 5 * Microsecond };

    // Both processors spin: the machine's own is what it does to a loop meanwhile.
    private static Promise Delivered(string title) =>
        new("p99.9 from enqueue to dequeue at 100,000/s", title, Titles.SpinningQueue, Titles.BusyLoop, AtMostMore, 10 * Microsecond)
        { Figure = static sample => sample.Latency?.P999 };
}
