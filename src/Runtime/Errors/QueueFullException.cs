namespace BlitQueue;

/// <summary>
/// There was no room: within the queue's capacity, or on the disk. Nothing was enqueued. <c>Open</c> throws it too, when the first
/// segment finds no room; no half-made queue stays behind then.
/// </summary>
public sealed class QueueFullException : QueueException
{
    /// <summary>The subscription that holds the room within the capacity; null where it is the disk that is full.</summary>
    public RoomHolder? HeldBy { get; init; }

    /// <summary>Creates the exception with what is full and what to do.</summary>
    public QueueFullException(string message) : base(message) => Reason = QueueError.DiskFull;

    /// <summary>Creates the exception with what is full and its cause.</summary>
    public QueueFullException(string message, Exception? innerException) : base(message, innerException) => Reason = QueueError.DiskFull;
}
