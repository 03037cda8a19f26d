namespace BlitQueue.RabbitMq.Hosting;

/// <summary>What logs and errors call the two.</summary>
internal static class BridgeKinds
{
    public const string Forwarder = "Forwarder", Receiver = "Receiver";
}
