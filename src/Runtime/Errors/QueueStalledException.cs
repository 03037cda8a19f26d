namespace BlitQueue;

/// <summary>
/// A process that lives but does not run (stopped, suspended, in a debugger) holds the turn to append. Its turn is never taken from it,
/// so the caller was told instead of kept waiting. Nothing was enqueued; the call can be repeated.
/// </summary>
/// <param name="message">Who holds the turn, and for how long.</param>
public sealed class QueueStalledException(string message) : QueueException(message);
