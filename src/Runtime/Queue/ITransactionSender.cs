using BlitQueue.Segments;

namespace BlitQueue;

/// <summary>What a transaction waits for in a queue that it sends to, between attempts to commit.</summary>
internal interface ITransactionSender : ITransactionTarget
{
    /// <summary>Whether what is sent to the queue is to be on the disk when a commit returns.</summary>
    bool IsDurable { get; }

    /// <summary>Sees to what the queue's durability asks for after a commit, where that is less.</summary>
    void NoteCommitted();

    /// <summary>Makes the segments up to this index.</summary>
    /// <exception cref="QueueFullException">The disk has no room for them.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    void MakeSegments(long index, TimeSpan patience, CancellationToken ct);

    /// <exception cref="ArgumentException">There never can be room for so many bytes.</exception>
    void RequireFits(long extent);

    /// <summary>Waits for room for so many bytes, if the queue's options say so; may return before there is.</summary>
    /// <exception cref="QueueFullException">There is none, and the options say not to wait.</exception>
    /// <exception cref="ArgumentException">There never can be so much.</exception>
    void WaitForRoom(long extent);

    /// <summary>Likewise, without a thread.</summary>
    ValueTask AwaitRoomAsync(long extent, CancellationToken ct);

    /// <summary>What notices that the holder of the turn does not run.</summary>
    StallWatch WatchStall(TimeSpan patience);
}
