namespace BlitQueue;

/// <summary>The time for a call is over. The handler's token is cancelled, where there is a handler.</summary>
public sealed class RpcTimeoutException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">What is known.</param>
    public RpcTimeoutException(string message) : base(message) => Reason = QueueError.TimedOut;

    /// <summary>
    /// Whether a server had taken the request; <see cref="QueueException.ProcessId"/> says which. If not, no handler has seen it, and none
    /// will.
    /// </summary>
    public bool WasTaken { get; init; }
}
