namespace BlitQueue.Log;

/// <summary>What a new queue is made with, and what an existing one is expected to have; null where the existing queue decides.</summary>
internal sealed record StoreOptions
{
    /// <summary>Bytes, a power of two.</summary>
    public long? SegmentSize { get; init; }

    public bool? UseChecksums { get; init; }

    /// <summary>
    /// The segment size of a new queue where <see cref="SegmentSize"/> is null. Null: as <see cref="SegmentFormat.DefaultSizeIn"/> says.
    /// </summary>
    public long? SegmentSizeOfNew { get; init; }

    /// <summary>
    /// Whether a new queue has checksums where <see cref="UseChecksums"/> is null. Null: it has them on a disk, not in memory.
    /// </summary>
    public bool? ChecksumsOfNew { get; init; }

    /// <summary>Rights of the files; where a queue is made and nothing is said, those of what is above it, or the owner's alone.</summary>
    public UnixFileMode? FileMode { get; init; }

    /// <summary>How many bytes of log may wait; 0 for no limit.</summary>
    public long? Capacity { get; init; }

    /// <summary>What a queue that is made has where <see cref="Capacity"/> says nothing.</summary>
    public long CapacityOfNew { get; init; }

    /// <summary>
    /// Throws where options do not go with how many bytes of log may wait in the queue of a directory, 0 for no limit: before anything is
    /// made or changed.
    /// </summary>
    public Action<string, long>? CheckCapacity { get; init; }

    /// <summary>How long to wait for a process that makes no progress, and what ends the wait.</summary>
    public required Patience Patience { get; init; }

    /// <summary>Whether a new queue has the subscription <c>default</c>; where nothing is said it has.</summary>
    public bool? CreateDefaultSubscription { get; init; }

    /// <summary>Whether this handle's appenders may take the last free space of the disk: those of dead letters.</summary>
    public bool TakesLastSpace { get; init; }

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
