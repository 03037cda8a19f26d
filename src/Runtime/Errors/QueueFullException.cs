namespace BlitQueue;

/// <summary>
/// There was no room: within the queue's capacity, or on the disk. Nothing was enqueued. <c>Open</c> throws it, too, if the disk has no
/// room for the first segment; it leaves no unfinished queue behind.
/// </summary>
public sealed class QueueFullException : QueueException
{
    /// <summary>The subscription that holds the room within the capacity; null if the disk is full.</summary>
    public RoomHolder? HeldBy { get; init; }

    /// <summary>Creates the exception with what is full and what to do.</summary>
    public QueueFullException(string message) : base(message) => Reason = QueueError.DiskFull;

    /// <summary>Creates the exception with what is full and its cause.</summary>
    public QueueFullException(string message, Exception? innerException) : base(message, innerException) => Reason = QueueError.DiskFull;
}
