namespace BlitQueue.Log;

/// <summary>What a new queue is made with, and what an existing one is expected to have; null where the existing queue decides.</summary>
internal sealed record StoreOptions
{
    /// <summary>Bytes, a power of two.</summary>
    public long? SegmentSize { get; init; }

    public bool? Checksum { get; init; }

    /// <summary>The segment size of a new queue where <see cref="SegmentSize"/> is null.</summary>
    public long SegmentSizeOfNew { get; init; } = SegmentFormat.DefaultSize;

    /// <summary>
    /// Whether a new queue has checksums where <see cref="Checksum"/> is null. Null: it has them on a disk, not in memory.
    /// </summary>
    public bool? ChecksumOfNew { get; init; }

    public required UnixFileMode FileMode { get; init; }

    /// <summary>How long to wait for a process that makes no progress.</summary>
    public required TimeSpan Patience { get; init; }

    /// <summary>Whether a new queue has the subscription <c>default</c>.</summary>
    public bool DefaultSubscription { get; init; } = true;

    /// <summary>
    /// Whether an opening leaves subscriptions that have ended, and does not begin to count how long subscriptions are unused: in a copy
    /// that is being made.
    /// </summary>
    public bool LeavesEnded { get; init; }

    /// <summary>
    /// The message type's schema; null where the caller reads no message: then the queue must exist, and its message type does not matter.
    /// </summary>
    public required MessageSchema? Schema { get; init; }
}
