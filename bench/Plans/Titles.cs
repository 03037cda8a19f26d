using System.Globalization;

namespace BlitQueue.Bench.Plans;

/// <summary>What groups and rows are called, where promises and plots look for them.</summary>
internal static class Titles
{
    public const string InMemory = "queue in shared memory", OnDisk = "queue on disk, with checksums",
        DefaultOptions = InMemory + ", default options", OnDiskByDefault = OnDisk + ", default options",
        FixedMembers = InMemory + ", fixed members",
        SmallSegments = FixedMembers + ", segments of 4 MiB",
        ConcurrentQueue = "ConcurrentQueue<T>", Channel = "Channel<T>, unbounded",
        NativeRing = "bare ring in shared memory, in C", Ring = "bare ring in shared memory, in C#",
        NativeLine = "cache line there and back, in C", NativeFutex = "futex there and back, in C",
        NativeCall = "the same bytes copied in and out, in C";

    public const string ByMethod = InMemory + ", in a field, by methods", ByDelegate = InMemory + ", by delegates",
        Generically = InMemory + ", by generic methods", Asynchronously = InMemory + ", by asynchronous methods";

    public const string Spinning = "Round trip between two processes, 64 bytes, spinning",
        Sleeping = "Round trip between two processes, 64 bytes, both asleep",
        Idle = "Round trip between two processes, 64 bytes, both asleep, after 2 ms of idleness";

    public const string Contending = "Producer processes that contend, 8 bytes", FourProducers = "4 producers, nobody consumes",
        OneProducerAlone = "1 producer, nobody consumes", FourToOne = "4 producers, one consumer", OneToOne = "1 producer, one consumer";

    public const string Calls = "Calls of a server in another process", CallsSpinning = Calls + ", both spinning",
        CallsSleeping = Calls + ", both asleep", CallsLong = Calls + ", 512 KB there and 8 bytes back, both spinning",
        OneKilobyte = "1024 bytes there and back", Company = "8 bytes, 64 calls in flight", LongRequest = "512 KB",
        LongInPlace = LongRequest + ", read where it is", CopyLong = "Span.CopyTo, 512 KB, once";

    public const string Shared = "Shared objects on one thread", SharedRead = Shared + ", an element of 8 bytes, read",
        SharedWrite = Shared + ", an element of 8 bytes, written", SharedValue = Shared + ", a value of 64 bytes",
        ByPointer = "by a pointer into a mapped file", ByCheckedPointer = "the same, the index compared with a length",
        ByIndex = "SharedArray<long>, by index", ValueRead = "SharedValue, read", ValueWrite = "SharedValue, written";

    public const string Listening = "Enqueue and dequeue on one thread, 64 bytes, by who listens", Nobody = "nobody listens",
        MetricsListen = "metrics, collected each second", TracesListen = "traces, each message recorded";

    public const string Instruments = "Enqueue and dequeue on one thread, 64 bytes, in a process in which no program listens",
        WithInstruments = "with the instruments", WithoutInstruments = "without the instruments",
        WithInstrumentsToo = "with the instruments, in another process";

    public const string Watching = "Enqueue and dequeue on one thread, 64 bytes, by what looks", Unwatched = "nothing looks",
        TailFollows = "blitq tail -f", StatRepeats = "blitq stat, each 100 ms", PageShows = "blitq serve, with a page open";

    public const string MegabyteThread = "Messages of 1 MB, in and out on one thread",
        MappedCopy = "Span.CopyTo, into a mapped file and out of it";

    public const string Latency = "Latency at 100,000 messages a second, from one process to another, 64 bytes",
        SpinningQueue = InMemory + ", spinning", BusyLoop = "empty loop at the same rate, while another process spins",
        Enqueue = "Enqueue at 100,000 a second, across segment rolls", EnqueueSmall = "64 bytes, segments of 1 MiB",
        EnqueueLarge = "1024 bytes, segments of 64 MiB", EmptyLoop = "empty loop at the same rate: the machine's own";

    public const string Durable = "Messages that are on the disk, 64 bytes", Fdatasync = "bare fdatasync of 80 bytes, in C",
        CommitOne = "Commit, one thread", CommitCompany = "Commit, 64 calls awaited at a time";

    public const string Depth = "Depth: one in, one out, 1 KB, in shared memory", DepthOnDisk = "Depth: one in, one out, 1 KB, on disk",
        Shallow = "10 MB deep";

    public const string Reopen = "Open, enqueue and dequeue after SIGKILL of the only process that had the queue open",
        ResidentMemory = "Resident memory of a consumer", IdleMessages = "10,000,000 idle messages of 8 bytes",
        NoMessages = "1,024 messages";

    public const string FilesWrite = "MappedFileQueues: 10,000,000 messages {int, long, double, \"TestString_i\"}, written",
        FilesRead = "MappedFileQueues: the same, read into an instance", FilesCopy = "the same bytes copied, the same texts made",
        FilesCopyOnDisk = FilesCopy + ", on disk";

    public const string Orders = "MSMQ paper: order of 50 lines from one process to another",
        Express = "express, one order again and again",
        ExpressVarying = "express, texts that differ from order to order", Recoverable = "recoverable, 64 in flight",
        Transactional = "transactional, batches of 64, sent and received";

    public const string ProcessesAppend = "Processes that produce, nobody consumes, 8 bytes",
        ThreadsAppend = "Threads that produce, nobody consumes, 8 bytes",
        ProcessesExchange = "Processes that produce, and as many that consume, 8 bytes",
        ThreadsExchange = "Threads that produce, and as many that consume, 8 bytes",
        ManyQueues = "Queues of one process, a message in and out of each in turn, 64 bytes";

    public static string Each(int count) => count == 1 ? "one" : $"{count}";

    public static string LatencyAt(int perSecond) => string.Create(
        CultureInfo.InvariantCulture, $"Latency at {perSecond:#,0} messages a second, from one process to another, 64 bytes, across rolls");

    public static string OneThread(int size) => $"Enqueue and dequeue on one thread, {Bytes(size)}";

    public static string AsUsersWrite(int size) => $"{OneThread(size)}, as users write it";

    public static string OneWay(int size) => $"One producer process to one consumer process, {Bytes(size)}";

    public static string DepthOf(long bytes) => $"{Size(bytes)} deep";

    public static string CopyOf(long bytes) => $"the same bytes copied, {Size(bytes)} apart, out of one file and into another";

    public static string Size(long bytes) => bytes < 1_000_000_000
        ? $"{bytes / 1_000_000} MB" : $"{(bytes / 1e9).ToString("0.#", CultureInfo.InvariantCulture)} GB";

    private static string Bytes(int size) => size < 1 << 20 ? $"{size} bytes" : "1 MB";
}
