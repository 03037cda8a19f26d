namespace BlitQueue;

/// <summary>An open handle, as the instruments see it.</summary>
internal interface IMeasured
{
    /// <summary>The queue's directory.</summary>
    string Path { get; }

    /// <summary>Bytes of a segment.</summary>
    long SegmentSize { get; }

    /// <summary>How many messages this handle has enqueued.</summary>
    long Sent { get; }

    /// <summary>How often an enqueue of this handle waited for room.</summary>
    long Waits { get; }

    /// <summary>How often a call of this handle was refused because of a process that is stopped inside of an append.</summary>
    long Stalls { get; }

    /// <summary>1 if this handle's opening recovered the queue; else 0.</summary>
    long Recoveries { get; }

    /// <summary>How many messages this handle was given, by subscription.</summary>
    Dictionary<string, long> Consumed();

    /// <summary>The queue's status.</summary>
    /// <exception cref="ObjectDisposedException">The handle was disposed.</exception>
    QueueStatus GetStatus();
}
