namespace BlitQueue.RabbitMq.Hosting;

/// <summary>A receiver of a host.</summary>
internal sealed class ReceiverBridge<T>(Receiver<T> receiver) : IBridge
    where T : IPackable<T>
{
    public event EventHandler<BridgeProblemEventArgs>? ProblemChanged
    {
        add => receiver.ProblemChanged += value;
        remove => receiver.ProblemChanged -= value;
    }

    public event EventHandler? ConnectionChanged
    {
        add => receiver.ConnectionChanged += value;
        remove => receiver.ConnectionChanged -= value;
    }

    public BridgeState GetState() => receiver.GetState();

    public Task RunAsync(CancellationToken cancellationToken) => receiver.RunAsync(cancellationToken);
}
