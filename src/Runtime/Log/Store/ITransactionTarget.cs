using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>A handle that appends what is packed already: as a commit uses that of a queue which its transaction sends to.</summary>
internal interface ITransactionTarget : IRoomMaker
{
    QueueStore Store { get; }

    Appender<MachineMemory> Appender { get; }

    /// <summary>
    /// Whether so many bytes may be appended at the tail, perhaps once the oldest messages are dropped. The caller holds the append lock.
    /// </summary>
    bool MayHaveRoomAt(long position, long extent);

    /// <summary>Sets when the messages were enqueued, of those that bear it. The caller holds the append lock.</summary>
    void Stamp(StagedBatch batch);

    /// <summary>Whether a commit is to throw where the queue has no room, by this handle's options.</summary>
    bool FailsWhenFull { get; }

    /// <summary>Whether what is sent to the queue is to be on the disk when a commit returns.</summary>
    bool IsDurable { get; }

    /// <summary>Sees to what the queue's durability asks for after a commit, where that is less.</summary>
    void NoteCommitted();

    /// <summary>Makes the segments up to this index.</summary>
    /// <exception cref="QueueFullException">The disk has no room for them.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    void MakeSegments(long index, TimeSpan patience, CancellationToken cancellationToken);

    /// <exception cref="ArgumentException">There never can be room for its records.</exception>
    void RequireFits(StagedBatch batch);

    /// <summary>Waits for room for so many bytes, if the queue's options say so; may return before there is.</summary>
    /// <exception cref="QueueFullException">There is none, and the options say not to wait.</exception>
    void WaitForRoom(long extent);

    /// <summary>As <see cref="WaitForRoom"/>, without a thread.</summary>
    ValueTask AwaitRoomAsync(long extent, CancellationToken cancellationToken);

    /// <summary>What notices that the holder of the append lock does not run.</summary>
    StallWatch WatchStall(TimeSpan patience);
}
