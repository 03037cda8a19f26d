namespace BlitQueue;

/// <summary>The handler of a call threw an exception: its type and its message, as the server tells them.</summary>
public sealed class RpcFaultException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">The server's message.</param>
    public RpcFaultException(string message) : base(message) => Reason = QueueError.HandlerFailed;

    /// <summary>The full name of the exception's type at the server, such as <c>System.ArgumentException</c>.</summary>
    public string FaultType { get; init; } = "";

    /// <summary>The exception's message at the server; its first 1.7 KB.</summary>
    public string FaultMessage { get; init; } = "";

    /// <summary>
    /// Where the exception came from, in the server's words; null unless the server tells it
    /// (<see cref="RpcServerOptions.IncludeStackTraces"/>).
    /// </summary>
    public string? ServerStackTrace { get; init; }
}
