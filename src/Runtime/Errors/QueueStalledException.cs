namespace BlitQueue;

/// <summary>
/// A process that lives but does not run (stopped, suspended, in a debugger) holds the turn to append. Its turn is never taken from it,
/// so the caller was told instead of kept waiting. Nothing was enqueued; the call can be repeated.
/// </summary>
public sealed class QueueStalledException : QueueException
{
    /// <summary>Creates the exception with who holds the turn and for how long.</summary>
    public QueueStalledException(string message) : base(message)
    {
    }
}
