namespace BlitQueue;

/// <summary>
/// The server of a call is dead, or has stopped serving, and there is no other. The system says so, no time-out does: the server of a call
/// that ends with this exception will never answer it.
/// </summary>
public sealed class PeerLostException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">What is known.</param>
    public PeerLostException(string message) : base(message) => Reason = QueueError.PeerLost;

    /// <summary>
    /// Whether a server had taken the request. If not, no handler has seen it, and the call can be repeated. If so, its handler may have
    /// done all of its work, a part, or nothing; <see cref="QueueException.ProcessId"/> says which process it was.
    /// </summary>
    public bool WasTaken { get; init; }
}
