namespace BlitQueue;

/// <summary>
/// A process that lives but does not run (stopped, suspended, in a debugger) holds the append lock. Its lock is never taken from it,
/// so the caller was told instead of kept waiting. Nothing was enqueued; the call can be repeated. The same of one that was opening the
/// queue when it was stopped.
/// </summary>
public sealed class QueueStalledException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">Who holds the append lock, or opens the queue, and for how long.</param>
    public QueueStalledException(string message) : base(message) => Reason = QueueError.Stalled;
}
