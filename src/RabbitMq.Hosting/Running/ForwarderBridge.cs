namespace BlitQueue.RabbitMq.Hosting;

/// <summary>A forwarder of a host.</summary>
internal sealed class ForwarderBridge<T>(Forwarder<T> forwarder) : IBridge
    where T : IPackable<T>
{
    public event EventHandler<BridgeProblemEventArgs>? ProblemChanged
    {
        add => forwarder.ProblemChanged += value;
        remove => forwarder.ProblemChanged -= value;
    }

    public event EventHandler? ConnectionChanged
    {
        add => forwarder.ConnectionChanged += value;
        remove => forwarder.ConnectionChanged -= value;
    }

    public BridgeState GetState() => forwarder.GetState();

    public Task RunAsync(CancellationToken cancellationToken) => forwarder.RunAsync(cancellationToken);
}
