namespace BlitQueue;

/// <summary>What a queue is, and its files.</summary>
internal sealed record QueueDetails
{
    /// <summary>The version of its format.</summary>
    public required int Format { get; init; }

    public required Guid Id { get; init; }

    /// <summary>Of the message type's schema.</summary>
    public required ulong Fingerprint { get; init; }

    /// <summary>Bytes.</summary>
    public required long SegmentSize { get; init; }

    /// <summary>Whether checks cover messages.</summary>
    public required bool Checksums { get; init; }

    /// <summary>How many segments have a file.</summary>
    public required int Segments { get; init; }

    /// <summary>The lengths of all files of the queue, bytes, without dead letters and what was set aside.</summary>
    public required long FileBytes { get; init; }

    /// <summary>When a file was written last, UTC.</summary>
    public required DateTime LastWrite { get; init; }

    /// <summary>
    /// Whether the words that processes share are valid; false after a restart of the machine, and in a copy, until a process opens the
    /// queue.
    /// </summary>
    public required bool IsCurrent { get; init; }

    /// <summary>Bytes of log that stay although every subscription has passed them; null if <see cref="IsCurrent"/> is false.</summary>
    public required long? RetainBytes { get; init; }

    /// <summary>How long they stay; null if <see cref="IsCurrent"/> is false.</summary>
    public required TimeSpan? RetainFor { get; init; }

    /// <summary>The position up to which the log is known to be on the disk; null if <see cref="IsCurrent"/> is false.</summary>
    public required long? Durable { get; init; }

    /// <summary>Whether a sync has failed, so that the queue takes no more messages.</summary>
    public required bool IsFailed { get; init; }

    /// <summary>The handles that have it open; null if that is not known.</summary>
    public required IReadOnlyList<QueuePeer>? Peers { get; init; }
}
