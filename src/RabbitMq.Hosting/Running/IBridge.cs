namespace BlitQueue.RabbitMq.Hosting;

/// <summary>A forwarder or a receiver, whatever its message type.</summary>
internal interface IBridge
{
    /// <inheritdoc cref="Forwarder{T}.ProblemChanged"/>
    event EventHandler<BridgeProblemEventArgs>? ProblemChanged;

    /// <inheritdoc cref="Forwarder{T}.ConnectionChanged"/>
    event EventHandler? ConnectionChanged;

    BridgeState GetState();

    Task RunAsync(CancellationToken cancellationToken);
}
