using BlitQueue.RabbitMq.Tests;

namespace BlitQueue.Reliability.Beyond;

/// <summary>Messages go from one store through a broker into another one, while all three are killed.</summary>
internal sealed class BeyondCampaign : ICampaign
{
    /// <summary>What this program does as one end: <see cref="BeyondSite"/>.</summary>
    public const string Site = "beyond-site";

    /// <summary>Kills in a round; the names are counters, too.</summary>
    public const string Brokers = "kills of the broker", Forwarders = "kills of forwarders", Receivers = "kills of receivers";

    public string Name => "beyond";

    public string Claim =>
        "Messages go from a queue through a real RabbitMQ broker, a quorum queue of one node, into a queue of another store. The broker, "
        + "the forwarder and the receiver, each a process, are killed at random moments and started again. The other queue has each "
        + "message once, in order, and nothing else.";

    public IReadOnlyList<Aim> Aims { get; } = [
        new Aim(Brokers, 4, 200), new Aim(Forwarders, 8, 200), new Aim(Receivers, 8, 200), new Aim("messages", 6_000, 100_000)];

    public void Run(CampaignRun run)
    {
        if (BrokerServer.Program is null)
        {
            run.Hinder("rabbitmq-server is not there; tests/RabbitMq.Tests/install.sh installs it");
            return;
        }
        var broker = new BrokerServer();
        try
        {
            broker.BeginAsync().GetAwaiter().GetResult();
            run.TryParts(part => new BeyondRound(run, part, broker).TryAsync().GetAwaiter().GetResult());
        }
        finally
        {
            broker.End();
        }
    }
}
