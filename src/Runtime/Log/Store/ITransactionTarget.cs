using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>A queue's handle as a commit uses it: it appends messages that are packed already.</summary>
internal interface ITransactionTarget : IRoomMaker
{
    QueueStore Store { get; }

    Appender<MachineMemory> Appender { get; }

    /// <summary>
    /// Whether so many bytes may be appended at the tail, perhaps after the oldest messages are dropped. The caller holds the append lock.
    /// </summary>
    bool MayHaveRoomAt(long position, long extent);

    /// <summary>Sets the enqueue time of those messages that have one. The caller holds the append lock.</summary>
    void Stamp(StagedBatch batch);

    /// <summary>Whether a commit is to throw where the queue has no room, by this handle's options.</summary>
    bool FailsWhenFull { get; }

    /// <summary>Whether what is sent to the queue is to be on the disk when a commit returns.</summary>
    bool IsDurable { get; }

    /// <summary>After a commit: starts what a lower durability of the queue asks for.</summary>
    void NoteCommitted();

    /// <summary>Makes the segments up to this index.</summary>
    /// <exception cref="QueueFullException">The disk has no room for them.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    void MakeSegments(long index, TimeSpan patience, CancellationToken cancellationToken);

    /// <exception cref="ArgumentException">The batch's records are larger than the capacity.</exception>
    void RequireFits(StagedBatch batch);

    /// <summary>
    /// Removes the subscriptions that are over; where none is, waits for room for so many bytes, if the queue's options say so. May return
    /// before there is room.
    /// </summary>
    /// <exception cref="QueueFullException">There is no room, and the options say not to wait.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    void WaitForRoom(long extent, CancellationToken cancellationToken);

    /// <summary>As <see cref="WaitForRoom"/>, without blocking a thread.</summary>
    ValueTask AwaitRoomAsync(long extent, CancellationToken cancellationToken);

    /// <summary>Makes a watch that notices that the holder of the append lock does not run.</summary>
    StallWatch WatchStall(TimeSpan patience);
}
