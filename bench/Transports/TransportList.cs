using System.Runtime.Versioning;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>Every transport by its name. All processes make the same list.</summary>
internal static class TransportList
{
    /// <summary>How many processes contend.</summary>
    public const int Contenders = 4;

    /// <summary>How many processes or threads a crowd has at most.</summary>
    public const int LargestCrowd = 128;

    /// <summary>Bytes of the messages of 1 MB.</summary>
    public const int Megabyte = 1 << 20;

    /// <summary>Lines of the order.</summary>
    public const int OrderLines = 50;

    /// <summary>Bytes of a segment for messages of 1 MB: at a segment's end one is copied once more.</summary>
    public const int LargeSegment = 16 << 20;

    /// <summary>For messages of 1 MB on one thread.</summary>
    public static readonly QueueOptions StreamingLarge = new() { Capacity = 4L * LargeSegment, SegmentSize = LargeSegment };

    // A log that goes round in the processor's cache, as the rings do beside it, however far its consumer falls behind.
    public static readonly QueueOptions Streaming = new() { Capacity = 8L << 20, SegmentSize = 4 << 20 };

    private static readonly QueueOptions Spinning = Streaming with { SpinDuration = TimeSpan.FromMinutes(1) };
    private static readonly QueueOptions Rolling = Spinning with { SegmentSize = 1 << 20 };
    private static readonly QueueOptions Sleeping = new() { SpinDuration = TimeSpan.Zero };
    private static readonly QueueOptions Durable = Streaming with { Durability = Durability.Commit };
    private static readonly QueueOptions Default = new();

    // SharedMemory's benchmark: 20 nodes, each with a message and what frames it.
    private static readonly QueueOptions TwentyNodes = Streaming with { Capacity = Transports.Ring.Nodes * (Megabyte + 64L) };

    /// <summary>No subscription: what is passed is not kept.</summary>
    private static readonly QueueOptions Unread = new() { CreateDefaultSubscription = false };
    private static readonly QueueOptions UnreadRolling = Unread with { SegmentSize = 1 << 20 };

    private static readonly Dictionary<string, Transport> All = new[]
    {
        Both("queue-8", static path => new Fixed8Ends(path, Streaming)),
        Both("queue-64", static path => new Fixed64Ends(path, Streaming)),
        Both("queue-1024", static path => new Fixed1024Ends(path, Streaming)),
        Both("queue-8-default", static path => new Fixed8Ends(path, Default)),
        Both("queue-64-default", static path => new Fixed64Ends(path, Default)),
        Both("queue-1024-default", static path => new Fixed1024Ends(path, Default)),
        Both("queue-1048576", static path => new ByteEnds(path, Megabyte, Streaming), sendBatch: 16),
        Both("queue-nodes", static path => new ByteEnds(path, Megabyte, TwentyNodes), sendBatch: 16),
        Both("queue-spinning", static path => new Fixed64Ends(path, Spinning)),
        Both("queue-rolling", static path => new Fixed64Ends(path, Rolling)),
        Both("queue-sleeping", static path => new Fixed64Ends(path, Sleeping)),
        Ended("unread-64", static path => new Fixed64Ends(path, UnreadRolling), static _ => default(NullReceiver)),
        Ended("unread-1024", static path => new Fixed1024Ends(path, Unread), static _ => default(NullReceiver)),
        new TypedTransport<NullSender, NullReceiver>("nothing", static _ => default, static _ => default),
        Ring(8), Ring(64), Ring(1024), Ring(Megabyte, sendBatch: 16),
        Socket(8), Socket(64), Socket(1024), Socket(Megabyte, sendBatch: 16),
        Pipe(8), Pipe(64), Pipe(1024), Pipe(Megabyte, sendBatch: 16),
        Sqlite(64),
        Channel<Words1>("channel-8"), Channel<Words8>("channel-64"), Channel<Words128>("channel-1024"),
        new TypedTransport<WordSender, WordReceiver>("word", static path => new(path), static path => new(path)),
        Both("order", static path => Orders(path, Streaming)),
        Ended(
            "order-varying", static path => new VaryingSender<Purchase>(path, OrderLines, Streaming),
            static path => Orders(path, Streaming)),
        Ended(
            "order-recoverable", static path => new WindowSender<Purchase>(path, OrderLines, Durable),
            static path => Orders(path, Streaming)),
        Transaction("order-transactional", Durability.Commit),
        Transaction("order-transactional-express", Durability.PageCache),
    }.Concat(Events()).Concat(Crowd(isConsumed: true)).Concat(Crowd(isConsumed: false))
        .Concat(Contending("contend", Streaming)).Concat(Contending("append", Unread))
        .Concat(BodySizes.All.Select(Body))
        .ToDictionary(static transport => transport.Name);

    public static Transport Get(string name) => All[name];

    /// <summary>The transports of producers that contend for one queue.</summary>
    /// <param name="name">"contend", where somebody receives, or "append".</param>
    /// <param name="producers">How many.</param>
    public static Transport[] Producers(string name, int producers) =>
        [.. Enumerable.Range(0, producers).Select(index => All[ContenderName(name, producers, index)])];

    /// <summary>The transport of one of a crowd.</summary>
    /// <param name="isConsumed">Whether as many receive.</param>
    /// <param name="index">Which of the crowd it is.</param>
    public static Transport OfCrowd(bool isConsumed, int index) => All[CrowdName(isConsumed, index)];

    public static QueueOptions OptionsOfCrowd(bool isConsumed) => isConsumed ? Streaming : Unread;

    private static IEnumerable<Transport> Crowd(bool isConsumed) => Enumerable.Range(0, LargestCrowd).Select(index =>
        new TypedTransport<CrowdSender, CrowdReceiver>(
            CrowdName(isConsumed, index), path => new(path, index, OptionsOfCrowd(isConsumed)),
            path => new(path, LargestCrowd, OptionsOfCrowd(isConsumed))));

    private static string CrowdName(bool isConsumed, int index) => $"{(isConsumed ? "exchange" : "produce")}-{index + 1}";

    // Each number of producers has transports of its own, because the receiver waits for the end of each.
    private static IEnumerable<Transport> Contending(string name, QueueOptions options) =>
        from producers in new[] { 1, Contenders }
        from index in Enumerable.Range(0, producers)
        select new TypedTransport<ContendingSender, ContendingReceiver>(
            ContenderName(name, producers, index), path => new(path, index, options), path => new(path, producers, options));

    private static string ContenderName(string name, int producers, int index) => $"{name}-{index + 1}-of-{producers}";

    private static Transport Both<TEnds>(
        string name, Func<string, TEnds> open, int sendBatch = 1024) where TEnds : struct, ISender, IReceiver =>
        new TypedTransport<TEnds, TEnds>(name, open, open) { SendBatch = sendBatch };

    private static Transport Ended<TSender, TReceiver>(string name, Func<string, TSender> openSender, Func<string, TReceiver> openReceiver)
        where TSender : struct, ISender
        where TReceiver : struct, IReceiver => new TypedTransport<TSender, TReceiver>(name, openSender, openReceiver);

    private static QueueEnds<Purchase> Orders(string path, QueueOptions options) => new(path, OrderLines, options);

    private static Transport Body(int size) => new TypedTransport<VaryingSender<Body>, QueueEnds<Body>>(
        BodySizes.TransportOf(size), path => new(path, size, Streaming), path => new(path, size, Streaming))
    { SendBatch = size < 10_000 ? 1024 : 16 };

    private static Transport Transaction(string name, Durability durability) =>
        new TypedTransport<TransactionSender<Purchase>, TransactionReceiver<Purchase>>(
            name, path => new(path, OrderLines, durability), path => new(path, OrderLines, durability));

    private static Transport Ring(int size, int sendBatch = 1024) => new TypedTransport<RingSender, RingReceiver>(
        $"ring-{size}", path => new(path, size), path => new(path, size))
    { SendBatch = sendBatch };

    private static Transport Socket(int size, int sendBatch = 1024) =>
        new TypedTransport<StreamSender<SocketEnd>, StreamReceiver<SocketEnd>>(
        $"socket-{size}", path => new(SocketEnd.Connect(path), size), path => new(SocketEnd.Accept(path), size))
        { SendBatch = sendBatch };

    private static Transport Pipe(int size, int sendBatch = 1024) => new TypedTransport<StreamSender<PipeEnd>, StreamReceiver<PipeEnd>>(
        $"pipe-{size}", path => new(new PipeEnd(path, FileAccess.Write), size), path => new(new PipeEnd(path, FileAccess.Read), size))
    { SendBatch = sendBatch };

    private static Transport[] Events()
    {
        if (OperatingSystem.IsWindows())
        {
            return [Both("event", OpenEvent)];
        }
        return [];
    }

    [SupportedOSPlatform("windows")]
    private static EventEnds OpenEvent(string path) => new(path);

    private static Transport Sqlite(int size) => new TypedTransport<SqliteSender, SqliteReceiver>(
        $"sqlite-{size}", path => new(path, size), path => new(path, size))
    { SendBatch = 64 };

    private static Transport Channel<TWords>(string name) where TWords : struct, IWords =>
        new TypedTransport<ChannelSender<TWords>, ChannelReceiver<TWords>>(name, static path => new(path), static path => new(path));
}
