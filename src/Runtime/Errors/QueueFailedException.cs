namespace BlitQueue;

/// <summary>
/// The disk refused to write a queue's data. The system may have dropped the pages that it could not write, so the queue no longer accepts
/// messages, in any process. Messages that are there can still be consumed.
/// </summary>
/// <remarks>
/// Once no process has the queue open any more, the next <c>Open</c> repairs it: it reads everything that is not known to be on the disk,
/// checks it, and writes it again.
/// </remarks>
public sealed class QueueFailedException : QueueException
{
    /// <summary>Whether the call has enqueued or committed everything or nothing.</summary>
    public FailureOutcome Outcome { get; init; }

    // What the disk has refused, without the outcome of the call.
    internal string? Refused { get; init; }

    /// <summary>Creates the exception with which file could not be written, why, and what to do.</summary>
    public QueueFailedException(string message) : base(message) => Reason = QueueError.DiskFailed;

    /// <summary>Creates the exception with which file could not be written, why, and its cause.</summary>
    public QueueFailedException(string message, Exception? innerException) : base(message, innerException) =>
        Reason = QueueError.DiskFailed;
}
