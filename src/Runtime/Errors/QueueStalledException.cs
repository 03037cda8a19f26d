namespace BlitQueue;

/// <summary>
/// A process that lives but does not run (stopped, suspended, in a debugger) holds the append lock, or was stopped while it opened the
/// queue. One that may run, but has held the append lock for seconds and got no further, counts as such. The library never takes a lock
/// from a living process, so it throws instead of waiting without end. Nothing was enqueued; the call can be repeated.
/// </summary>
public sealed class QueueStalledException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">Who holds the append lock, or opens the queue, and for how long.</param>
    public QueueStalledException(string message) : base(message) => Reason = QueueError.Stalled;
}
