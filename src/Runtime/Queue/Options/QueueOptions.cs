using BlitQueue.Log;

namespace BlitQueue;

/// <summary>
/// How a queue is made, what applies to every handle of it, and how this handle uses it. Everything has a default, and every property can
/// be set, by <c>services.Configure&lt;QueueOptions&gt;</c> for instance: an opening takes a copy.
/// </summary>
/// <remarks>
/// <para>
/// <b>Fixed when the queue is made</b>: <see cref="SegmentSize"/>, <see cref="UseChecksums"/>, <see cref="FileMode"/>,
/// <see cref="CreateDefaultSubscription"/>. null takes what the queue has; a value that differs from it is an
/// <see cref="ArgumentException"/> that names both.
/// </para>
/// <para>
/// <b>The queue's</b>: <see cref="Capacity"/>, <see cref="RetainBytes"/>, <see cref="RetainFor"/>. They are stored in it. null leaves what
/// is set; a value sets it for every process that has the queue open, or opens it later.
/// </para>
/// <para><b>This handle's</b>: all others. Other handles do not know of them.</para>
/// </remarks>
/// <example>
/// <code>
/// using var orders = MappedQueue&lt;Order&gt;.Open("orders", new QueueOptions { SegmentSize = 1 &lt;&lt; 20, Capacity = 64 &lt;&lt; 20 });
/// </code>
/// </example>
public sealed record QueueOptions
{
    // Fixed when the queue is made.

    /// <summary>
    /// Size of each file of messages in bytes: a power of two from 64 KiB to 1 GiB. The file after the one being written is made in
    /// advance. null (the default) takes what is there, and makes a new queue with 64 MiB, or 4 MiB where the directory lies in memory.
    /// </summary>
    public long? SegmentSize { get; set; }

    /// <summary>
    /// Whether records carry a checksum of their message. null (the default) takes what is there, and makes a new queue with checksums on
    /// a disk and without in shared memory.
    /// </summary>
    public bool? UseChecksums { get; set; }

    /// <summary>
    /// Rights of the queue's files, on Unix; a directory that is made gets the matching right to enter. null (the default) takes what is
    /// there, and makes a new queue with read and write for the owner alone, or, inside of a store or lanes, with the rights of those. On
    /// Windows a directory that is made for the owner alone gets an access list that says so; with other rights it inherits its list.
    /// </summary>
    public UnixFileMode? FileMode { get; set; }

    /// <summary>
    /// Whether the queue is made with the subscription <c>default</c>, whose messages <see cref="MappedQueue{T}.TryDequeue(ref T)"/> takes.
    /// null (the default) takes what is there, and makes a new queue with it. This subscription keeps every message until a consumer takes
    /// it, so set false for a queue that is consumed only through other subscriptions. Without any subscription no message is kept for
    /// consumers that subscribe later, unless it is retained.
    /// </summary>
    public bool? CreateDefaultSubscription { get; set; }

    // The queue's: stored, and the same for all.

    /// <summary>
    /// How many bytes of log may wait to be consumed, whichever process enqueues; headers and padding included. null (the default) leaves
    /// what is set, which in a new queue is no limit but the disk; 0 ends the limit. What takes several segments may exceed the limit by
    /// their headers and the padding at their ends, if nothing else waits.
    /// </summary>
    /// <remarks>An open handle applies a change before it has appended another 64 KiB.</remarks>
    public long? Capacity { get; set; }

    /// <summary>
    /// How many bytes of log stay on disk although every subscription has passed them, to be replayed by
    /// <see cref="Subscription{T}.Seek(QueuePosition)"/> and by new subscriptions; by whole segments. null (the default) leaves what is
    /// set, 0 ends it.
    /// </summary>
    public long? RetainBytes { get; set; }

    /// <summary>
    /// How long messages stay on disk although every subscription has passed them; by whole segments, so some stay longer. null (the
    /// default) leaves what is set, zero ends it. If <see cref="RetainBytes"/> is set too, a message stays as long as one of the two
    /// retains it.
    /// </summary>
    public TimeSpan? RetainFor { get; set; }

    // This handle's.

    /// <summary>
    /// What <see cref="MappedQueue{T}.Enqueue(in T, CancellationToken)"/> does when the capacity leaves no room. Default: wait.
    /// </summary>
    public FullMode FullMode { get; set; } = FullMode.Wait;

    /// <summary>
    /// An enqueue of this handle raises <see cref="MappedQueue{T}.SoftLimitReached"/> if more bytes of log than this wait to be consumed; 1
    /// to <see cref="Capacity"/>. null (the default): never. It has no other effect.
    /// </summary>
    public long? SoftLimit { get; set; }

    /// <summary>
    /// The longest message, packed, in bytes; 1 to 1 GiB. Default: 1 GiB. A message that is longer than a segment takes its size in memory
    /// once more while it is enqueued or unpacked; that memory is given back some seconds later.
    /// </summary>
    public long MaxMessageSize { get; set; } = 1L << 30;

    /// <summary>
    /// What has happened to a message when its enqueue by this handle returns. Default: it is in the operating system's memory, where a
    /// power loss may take it, and nothing else.
    /// </summary>
    public Durability Durability { get; set; } = Durability.PageCache;

    /// <summary>
    /// With <see cref="Durability.Interval"/>: the longest time from the enqueue of a message until it is sent to the disk; longer than
    /// zero. Default: 50 ms.
    /// </summary>
    public TimeSpan FlushInterval
    {
        get => _flushInterval ?? TimeSpan.FromMilliseconds(50);
        set => _flushInterval = value;
    }

    private TimeSpan? _flushInterval;

    /// <summary>
    /// How long <see cref="MappedQueue{T}.Enqueue(in T, CancellationToken)"/> waits for another process that lives but does not run, and
    /// <see cref="MappedQueue{T}.Open"/> for a process that is opening the queue and makes no progress. Default: 10 s. While other
    /// processes open the queue one after the other, or one of them reads a long log, they make progress, and it waits longer. Where the
    /// system does not tell whether a process runs, as of one in another container or of another user, and on macOS, that process counts
    /// as one that is slow: it has five seconds at least to append, and a minute to open the queue.
    /// </summary>
    public TimeSpan StallTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a waiting call spins before it sleeps in the kernel. Default: 50 us; zero sleeps at once.</summary>
    public TimeSpan SpinDuration { get; set; } = TimeSpan.FromMicroseconds(50);

    /// <summary>
    /// What this handle notes beside each message that it enqueues, given properties or not. Default: nothing. With
    /// <see cref="MessageStamps.Time"/> a subscription can <see cref="Subscription{T}.Seek(DateTime)"/> a time exactly.
    /// </summary>
    public MessageStamps Stamps { get; set; } = MessageStamps.None;

    /// <summary>
    /// The clock of this handle. Default: <see cref="TimeProvider.System"/>. It gives the time for stamps, times to live and dead letters;
    /// this handle measures delays and <see cref="SubscriptionOptions.VisibilityTimeout"/>s with it, and
    /// <see cref="Subscription{T}.ProcessAsync"/> renews leases by it.
    /// </summary>
    /// <remarks>
    /// For tests that set the time: give all handles of a queue the same provider, because each handle compares the times in the files with
    /// its own clock. Only the system's clocks measure how long a call waits (a <see cref="TimeSpan"/> of a call,
    /// <see cref="StallTimeout"/>, <see cref="SpinDuration"/>, <see cref="FlushInterval"/>), what is kept for all processes
    /// (<see cref="RetainFor"/>, <see cref="SubscriptionOptions.ExpiresAfter"/>), and the times of files and reports. A waiting call looks
    /// at its provider's time at least every tenth of a second. What waits for room on the disk is tried again by whichever clock is first.
    /// </remarks>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>A checked copy, which later changes of the original do not reach; the defaults for null.</summary>
    /// <exception cref="ArgumentException">A value is outside of its range; the message names it.</exception>
    internal static QueueOptions Validated(QueueOptions? options)
    {
        QueueOptions copy = options is null ? new QueueOptions() : options with { };
        copy.Validate();
        return copy;
    }

    private void Validate()
    {
        Require(
            SegmentSize is not { } size
                || (BitOperations.IsPow2(size) && size is >= SegmentFormat.MinimumSize and <= SegmentFormat.MaximumSize),
            nameof(SegmentSize), SegmentSize,
            $"a power of two from {SegmentFormat.MinimumSize} (64 KiB) to {SegmentFormat.MaximumSize} (1 GiB) bytes");
        Require(Capacity is null or >= 0, nameof(Capacity), Capacity, "1 or more bytes, 0 for no limit, or null");
        Require(SoftLimit is null or > 0, nameof(SoftLimit), SoftLimit, "1 or more bytes, or null");
        Require(
            FileMode?.HasFlag(UnixFileMode.UserRead | UnixFileMode.UserWrite) != false, nameof(FileMode), FileMode,
            "so that the owner may read and write: otherwise no process could open the queue");
        Require(MaxMessageSize is > 0 and <= 1L << 30, nameof(MaxMessageSize), MaxMessageSize, "from 1 to 1073741824 (1 GiB) bytes");
        Require(StallTimeout > TimeSpan.Zero, nameof(StallTimeout), StallTimeout, "longer than zero; TimeSpan.MaxValue has no end");
        Require(SpinDuration >= TimeSpan.Zero, nameof(SpinDuration), SpinDuration, "zero or longer");
        Require(RetainBytes is null or >= 0, nameof(RetainBytes), RetainBytes, "0 or more bytes, or null");
        Require(RetainFor is null || RetainFor >= TimeSpan.Zero, nameof(RetainFor), RetainFor, "zero or longer, or null");
        Require((Stamps & ~(MessageStamps.Time | MessageStamps.Producer)) == 0, nameof(Stamps), Stamps, "of the values of MessageStamps");
        Require(Enum.IsDefined(FullMode), nameof(FullMode), FullMode, "one of the values of FullMode");
        Require(Enum.IsDefined(Durability), nameof(Durability), Durability, "one of the values of Durability");
        Require(TimeProvider is not null, nameof(TimeProvider), "null", "a clock; TimeProvider.System is the system's");
        Require(FlushInterval > TimeSpan.Zero, nameof(FlushInterval), FlushInterval, "longer than zero");
        if (_flushInterval is not null && Durability != Durability.Interval)
        {
            throw new ArgumentException(
                $"QueueOptions.FlushInterval is {FlushInterval}, and QueueOptions.Durability is {Durability}: without Durability.Interval "
                + "nothing is flushed at intervals. Set both, or leave FlushInterval out.");
        }
    }

    /// <summary>
    /// Checks that these options fit the capacity of the queue in a directory, which another process may have set: bytes, 0 for none.
    /// </summary>
    /// <exception cref="ArgumentException">They do not.</exception>
    internal void CheckCapacity(string directory, long capacity)
    {
        if (capacity > 0 && SoftLimit > capacity)
        {
            throw new ArgumentException(
                $"QueueOptions.SoftLimit is {SoftLimit}, and the Capacity of {directory} is {capacity}: more can never wait. Choose a "
                + "lower limit, or give a QueueOptions.Capacity, which sets it for all.");
        }
        if (capacity <= 0 && FullMode == FullMode.DropOldest)
        {
            throw new ArgumentException(
                $"QueueOptions.FullMode is {FullMode.DropOldest}, and {directory} has no Capacity: without a limit nothing is ever "
                + "dropped. Give a QueueOptions.Capacity, which sets it for all, or choose another FullMode.");
        }
    }

    /// <summary>The options of a subscription's dead-letter queue: a durable message must not get lost on its way there.</summary>
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
