namespace BlitQueue.RabbitMq;

/// <summary>Why a connection was given up, by its name.</summary>
internal sealed class BridgeException(BridgeProblem problem, string message, Exception? inner = null) : Exception(message, inner)
{
    public BridgeProblem Problem { get; } = problem;

    /// <summary>AMQP's, where the broker has closed the channel or the connection; else 0.</summary>
    public ushort ReplyCode { get; init; }
}
