namespace BlitQueue;

/// <summary>
/// The disk refused to take what a queue was to keep. The system may have dropped what it could not write, so nothing more is promised: the
/// queue takes no more messages, in any process. What is there can still be consumed.
/// </summary>
/// <remarks>
/// It is repaired by the next <c>Open</c> when no process has the queue open any more: what was not known to be on the disk is read back,
/// checked, and written again.
/// </remarks>
public sealed class QueueFailedException : QueueException
{
    /// <summary>Whether what the call was to enqueue or to commit is there, as a whole, or nothing of it.</summary>
    public FailureOutcome Outcome { get; init; }

    // What the disk has refused, without what came of it.
    internal string? Refused { get; init; }

    /// <summary>Creates the exception with which file could not be written, why, and what to do.</summary>
    public QueueFailedException(string message) : base(message) => Reason = QueueError.DiskFailed;

    /// <summary>Creates the exception with which file could not be written, why, and its cause.</summary>
    public QueueFailedException(string message, Exception? innerException) : base(message, innerException) =>
        Reason = QueueError.DiskFailed;
}
