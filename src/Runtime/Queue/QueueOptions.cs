using System.Numerics;
using BlitQueue.Segments;

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
    /// holds. It binds the enqueues of this handle.
    /// </summary>
    public long? Capacity { get; init; }

    /// <summary>What <see cref="MappedQueue{T}.Enqueue"/> does when the capacity leaves no room. Default: wait.</summary>
    public FullMode FullMode { get; init; } = FullMode.Wait;

    /// <summary>The longest message, packed, in bytes; 1 to 1 GiB. Default: 1 GiB.</summary>
    public long MaxMessageSize { get; init; } = 1L << 30;

    /// <summary>
    /// Whether records carry a checksum of their message. null (the default) joins what is there, and makes a new queue with checksums on
    /// a disk and without in shared memory.
    /// </summary>
    public bool? Checksum { get; init; }

    /// <summary>
    /// How long <see cref="MappedQueue{T}.Enqueue"/> and <see cref="MappedQueue{T}.Open"/> wait for another process that lives but does
    /// not run. Default: 10 s.
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
    /// How many bytes of log stay on disk although every subscription has passed them, to be replayed by <see cref="Subscription{T}.Seek"/>
    /// and by new subscriptions; by whole segments. It is the queue's: null (the default) leaves what is set, 0 ends it.
    /// </summary>
    public long? RetainBytes { get; init; }

    /// <summary>
    /// How long messages stay on disk although every subscription has passed them; by whole segments, so some stay longer. It is the
    /// queue's: null (the default) leaves what is set, zero ends it. With <see cref="RetainBytes"/> too, what either retains stays.
    /// </summary>
    public TimeSpan? RetainFor { get; init; }

    /// <summary>
    /// Whether a queue that is made has the subscription <c>default</c>, whose messages <see cref="MappedQueue{T}.TryDequeue"/> takes.
    /// Default: true. Without it nothing is kept for consumers that subscribe later, unless retained.
    /// </summary>
    public bool DefaultSubscription { get; init; } = true;

    /// <exception cref="ArgumentException">A value is outside of its range; the message names it.</exception>
    internal void Validate()
    {
        if (SegmentSize is { } size
            && (!BitOperations.IsPow2(size) || size is < SegmentFormat.MinimumSize or > SegmentFormat.MaximumSize))
        {
            throw new ArgumentException(
                $"QueueOptions.SegmentSize is {size}; it must be a power of two from {SegmentFormat.MinimumSize} (64 KiB) to "
                + $"{SegmentFormat.MaximumSize} (1 GiB) bytes.");
        }
        Require(Capacity is null or > 0, nameof(Capacity), Capacity, "1 or more bytes, or null");
        Require(MaxMessageSize is > 0 and <= 1L << 30, nameof(MaxMessageSize), MaxMessageSize, "from 1 to 1073741824 (1 GiB) bytes");
        Require(StallTimeout > TimeSpan.Zero, nameof(StallTimeout), StallTimeout, "longer than zero");
        Require(SpinDuration >= TimeSpan.Zero, nameof(SpinDuration), SpinDuration, "zero or longer");
        Require(RetainBytes is null or >= 0, nameof(RetainBytes), RetainBytes, "0 or more bytes, or null");
        Require(RetainFor is null || RetainFor >= TimeSpan.Zero, nameof(RetainFor), RetainFor, "zero or longer, or null");
        Require(
            FullMode != FullMode.DropOldest || Capacity is not null, nameof(FullMode), FullMode,
            "another value where Capacity is null: without a limit nothing is ever dropped");
        Require(Enum.IsDefined(FullMode), nameof(FullMode), FullMode, "one of the values of FullMode");
    }

    private static void Require(bool holds, string name, object? value, string range)
    {
        if (!holds)
        {
            throw new ArgumentException($"QueueOptions.{name} is {value}; it must be {range}.");
        }
    }
}
