namespace BlitQueue.RabbitMq;

/// <summary>Why a connection was given up, by its name.</summary>
internal sealed class BridgeException(BridgeProblem problem, string message, Exception? inner = null) : Exception(message, inner)
{
    public BridgeProblem Problem { get; } = problem;
}
