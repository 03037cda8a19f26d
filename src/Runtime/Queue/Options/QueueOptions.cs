using System.Numerics;
using BlitQueue.Log;

namespace BlitQueue;

/// <summary>How a queue is made, and how this process uses it. Everything has a default.</summary>
/// <example>
/// <code>
/// using var orders = MappedQueue&lt;Order&gt;.Open("orders", new QueueOptions { SegmentSize = 1 &lt;&lt; 20, Capacity = 64 &lt;&lt; 20 });
/// </code>
/// </example>
public sealed record QueueOptions
{
    /// <summary>
    /// Size of each file of messages in bytes: a power of two from 64 KiB to 1 GiB. One file beyond the one being written is made ahead.
    /// null (the default) joins what is there, and makes a new queue with 64 MiB.
    /// </summary>
    public long? SegmentSize { get; init; }

    /// <summary>
    /// How many bytes of log may wait to be consumed; 1 or more, headers and padding included. null (the default): as many as the disk
    /// holds. It binds the enqueues of this handle. What goes over several segments and exceeds it only by their headers and the padding
    /// at their ends goes in where nothing else waits.
    /// </summary>
    public long? Capacity { get; init; }

    /// <summary>
    /// From how many bytes of log that wait to be consumed on an enqueue of this handle raises
    /// <see cref="MappedQueue{T}.SoftLimitReached"/>; 1 to <see cref="Capacity"/>. null (the default): never. Nothing else comes of it.
    /// </summary>
    public long? SoftLimit { get; init; }

    /// <summary>
    /// What <see cref="MappedQueue{T}.Enqueue(in T, CancellationToken)"/> does when the capacity leaves no room. Default: wait.
    /// </summary>
    public FullMode FullMode { get; init; } = FullMode.Wait;

    /// <summary>
    /// The longest message, packed, in bytes; 1 to 1 GiB. Default: 1 GiB. One that no segment holds takes its size in memory once more
    /// while it is enqueued or unpacked; the system has that back seconds later.
    /// </summary>
    public long MaxMessageSize { get; init; } = 1L << 30;

    /// <summary>
    /// What has happened to a message when its enqueue by this handle returns. Default: it is in the operating system's memory, where a
    /// power loss may take it, and nothing else.
    /// </summary>
    public Durability Durability { get; init; } = Durability.PageCache;

    /// <summary>
    /// With <see cref="Durability.Interval"/>: how long after its enqueue a message is on the disk at the latest, but for the time that
    /// the disk takes; longer than zero. Default: 50 ms.
    /// </summary>
    public TimeSpan FlushInterval
    {
        get => _flushInterval ?? TimeSpan.FromMilliseconds(50);
        init => _flushInterval = value;
    }

    private readonly TimeSpan? _flushInterval;

    /// <summary>
    /// Whether records carry a checksum of their message. null (the default) joins what is there, and makes a new queue with checksums on
    /// a disk and without in shared memory.
    /// </summary>
    public bool? Checksum { get; init; }

    /// <summary>
    /// How long <see cref="MappedQueue{T}.Enqueue(in T, CancellationToken)"/> waits for another process that lives but does not run, and
    /// <see cref="MappedQueue{T}.Open"/> for one that is opening the queue and does not get on: as long as others open it one after the
    /// other, or one of them goes through a long log, it waits. Default: 10 s.
    /// </summary>
    public TimeSpan StallTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a waiting call spins before it sleeps in the kernel. Default: 50 us; zero sleeps at once.</summary>
    public TimeSpan SpinDuration { get; init; } = TimeSpan.FromMicroseconds(50);

    /// <summary>
    /// Rights of the queue's files, on Unix; a directory that is made gets the matching right to enter. Default: read and write for the
    /// owner alone.
    /// </summary>
    public UnixFileMode FileMode { get; init; } = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// How many bytes of log stay on disk although every subscription has passed them, to be replayed by
    /// <see cref="Subscription{T}.Seek(QueuePosition)"/> and by new subscriptions; by whole segments. It is the queue's: null (the default)
    /// leaves what is set, 0 ends it.
    /// </summary>
    public long? RetainBytes { get; init; }

    /// <summary>
    /// How long messages stay on disk although every subscription has passed them; by whole segments, so some stay longer. It is the
    /// queue's: null (the default) leaves what is set, zero ends it. With <see cref="RetainBytes"/> too, what either retains stays.
    /// </summary>
    public TimeSpan? RetainFor { get; init; }

    /// <summary>
    /// Whether a queue that is made has the subscription <c>default</c>, whose messages <see cref="MappedQueue{T}.TryDequeue(ref T)"/>
    /// takes. Default: true. Without it nothing is kept for consumers that subscribe later, unless retained.
    /// </summary>
    public bool DefaultSubscription { get; init; } = true;

    /// <summary>
    /// What this handle notes beside each message that it enqueues, given properties or not. Default: nothing. With
    /// <see cref="MessageStamps.Time"/> a subscription can <see cref="Subscription{T}.Seek(DateTime)"/> a time exactly.
    /// </summary>
    public MessageStamps Stamp { get; init; } = MessageStamps.None;

    /// <exception cref="ArgumentException">A value is outside of its range; the message names it.</exception>
    internal void Validate()
    {
        Require(
            SegmentSize is not { } size
                || (BitOperations.IsPow2(size) && size is >= SegmentFormat.MinimumSize and <= SegmentFormat.MaximumSize),
            nameof(SegmentSize), SegmentSize,
            $"a power of two from {SegmentFormat.MinimumSize} (64 KiB) to {SegmentFormat.MaximumSize} (1 GiB) bytes");
        Require(Capacity is null or > 0, nameof(Capacity), Capacity, "1 or more bytes, or null");
        Require(SoftLimit is null or > 0, nameof(SoftLimit), SoftLimit, "1 or more bytes, or null");
        Require(
            SoftLimit is null || Capacity is null || SoftLimit <= Capacity, nameof(SoftLimit), SoftLimit,
            $"at most QueueOptions.Capacity, which is {Capacity}: more can never wait");
        Require(
            FileMode.HasFlag(UnixFileMode.UserRead | UnixFileMode.UserWrite), nameof(FileMode), FileMode,
            "so that the owner may read and write: otherwise nobody could open the queue");
        Require(MaxMessageSize is > 0 and <= 1L << 30, nameof(MaxMessageSize), MaxMessageSize, "from 1 to 1073741824 (1 GiB) bytes");
        Require(StallTimeout > TimeSpan.Zero, nameof(StallTimeout), StallTimeout, "longer than zero");
        Require(SpinDuration >= TimeSpan.Zero, nameof(SpinDuration), SpinDuration, "zero or longer");
        Require(RetainBytes is null or >= 0, nameof(RetainBytes), RetainBytes, "0 or more bytes, or null");
        Require(RetainFor is null || RetainFor >= TimeSpan.Zero, nameof(RetainFor), RetainFor, "zero or longer, or null");
        Require(
            FullMode != FullMode.DropOldest || Capacity is not null, nameof(FullMode), FullMode,
            "another value where Capacity is null: without a limit nothing is ever dropped");
        Require((Stamp & ~(MessageStamps.Time | MessageStamps.Producer)) == 0, nameof(Stamp), Stamp, "of the values of MessageStamps");
        Require(Enum.IsDefined(FullMode), nameof(FullMode), FullMode, "one of the values of FullMode");
        Require(Enum.IsDefined(Durability), nameof(Durability), Durability, "one of the values of Durability");
        Require(FlushInterval > TimeSpan.Zero, nameof(FlushInterval), FlushInterval, "longer than zero");
        if (_flushInterval is not null && Durability != Durability.Interval)
        {
            throw new ArgumentException(
                $"QueueOptions.FlushInterval is {FlushInterval}, and QueueOptions.Durability is {Durability}: without Durability.Interval "
                + "nothing is flushed at intervals. Set both, or leave FlushInterval out.");
        }
    }

    /// <summary>The options of the queue of what a subscription sets aside: what was durable is not to get lost on its way there.</summary>
    internal QueueOptions ForDeadLetters()
    {
        var options = new QueueOptions { StallTimeout = StallTimeout, Durability = Durability };
        return _flushInterval is { } interval ? options with { FlushInterval = interval } : options;
    }

    internal static void Require(bool isMet, string name, object? value, string range, string options = nameof(QueueOptions))
    {
        if (!isMet)
        {
            throw new ArgumentException($"{options}.{name} is {value}; it must be {range}.");
        }
    }
}
