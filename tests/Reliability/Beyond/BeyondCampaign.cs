using BlitQueue.RabbitMq.Tests;
using BlitQueue.Reliability.Disk;

namespace BlitQueue.Reliability.Beyond;

/// <summary>Messages go from one store through a broker into another one, while everything between them fails.</summary>
internal sealed class BeyondCampaign : ICampaign
{
    /// <summary>What this program does as one end: <see cref="BeyondSite"/>.</summary>
    public const string Site = "beyond-site";

    /// <summary>What is done to them; the names are counters, too.</summary>
    public const string Brokers = "kills of the broker", Forwarders = "kills of forwarders", Receivers = "kills of receivers",
        Cuts = "cuts of a link", Delays = "delays of a link", Full = "full disks at B", Gone = "nodes gone for good";

    public string Name => "beyond";

    public string Claim =>
        "Messages go from a queue through a real RabbitMQ broker, a quorum queue, into a queue of another store. The broker, the forwarder "
        + "and the receiver, each a process, are killed at random moments and started again. In the long form the broker has three nodes, "
        + "one of which goes for good; the links between the ends and the nodes are cut and delayed, by a relay of the campaign's own; and "
        + "the disk at B, a small file system, fills up once. The other queue has each message once, in order, and nothing else.";

    public IReadOnlyList<Aim> Aims { get; } = [
        new Aim(Brokers, 4, 200), new Aim(Forwarders, 8, 200), new Aim(Receivers, 8, 200), new Aim("messages", 6_000, 100_000),
        new Aim(Cuts, 0, 50), new Aim(Delays, 0, 50), new Aim(Full, 0, 1), new Aim(Gone, 0, 1)];

    public static bool IsHarm(string counter) => counter is Brokers or Forwarders or Receivers or Cuts or Delays;

    public void Run(CampaignRun run)
    {
        if (BrokerServer.Program is null)
        {
            run.Hinder("rabbitmq-server is not there; tests/RabbitMq.Tests/install.sh installs it");
        }
        else if (!run.IsLong)
        {
            RunShort(run);
        }
        else if (MountSpace.Hindrance is { } hindrance)
        {
            run.Hinder($"B's small disk: {hindrance}");
        }
        else
        {
            run.TryParts(part => new BeyondSiege(run, part).TryAsync().GetAwaiter().GetResult());
        }
    }

    private static void RunShort(CampaignRun run)
    {
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
