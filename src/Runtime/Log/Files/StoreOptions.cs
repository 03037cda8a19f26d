namespace BlitQueue.Log;

/// <summary>What a queue is to be made with, or expected to be; null where what is there decides.</summary>
internal sealed record StoreOptions
{
    /// <summary>Bytes, a power of two.</summary>
    public long? SegmentSize { get; init; }

    public bool? Checksum { get; init; }

    /// <summary>What a queue that is made has where <see cref="SegmentSize"/> says nothing.</summary>
    public long SegmentSizeOfNew { get; init; } = SegmentFormat.DefaultSize;

    /// <summary>Whether a queue that is made has checksums where <see cref="Checksum"/> says nothing; null: on a disk.</summary>
    public bool? ChecksumOfNew { get; init; }

    public required UnixFileMode FileMode { get; init; }

    /// <summary>How long to wait for a process that does not get on.</summary>
    public required TimeSpan Patience { get; init; }

    /// <summary>Whether a queue that is made has the subscription <c>default</c>.</summary>
    public bool DefaultSubscription { get; init; } = true;

    /// <summary>
    /// Whether subscriptions that have ended stay, and nobody begins to count how long they are not
    /// used: in a copy that is just being made.
    /// </summary>
    public bool LeavesEnded { get; init; }

    /// <summary>The message type's schema; null where no message is looked at: then the queue must be there, and any will do.</summary>
    public required MessageSchema? Schema { get; init; }
}
