using BlitQueue.RabbitMq.Tests;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Beyond;

/// <summary>The short form: some messages, some kills one after the other, and a look at what has arrived.</summary>
internal sealed class BeyondRound(CampaignRun run, long part, BrokerServer broker)
{
    private const int MessagesPerKill = 300;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly Random _random = run.RandomOf(part);
    private readonly string _name = $"beyond-{part}-{Guid.NewGuid():N}";

    public async Task TryAsync()
    {
        string root = ScratchDirectory.Make($"beyond-{part}");
        await BeyondQueue.DeclareAsync(broker, _name, nodes: 1);
        using var ends = new BeyondEnds(run, part, root, Path.Combine(root, "b"), _name) { HostsOf = _ => broker.Host };
        ends.Begin();
        await HarmAsync(ends);
        await ends.UntilArrivedAsync(() => BeyondQueue.CountAsync(broker, _name), Patience);
        if (ends.Compare())
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private async Task HarmAsync(BeyondEnds ends)
    {
        string[] kills =
        [
            .. Enumerable.Repeat(BeyondCampaign.Brokers, 4), .. Enumerable.Repeat(BeyondCampaign.Forwarders, 8),
            .. Enumerable.Repeat(BeyondCampaign.Receivers, 8),
        ];
        _random.Shuffle(kills);
        foreach (string kill in kills)
        {
            ends.Send(MessagesPerKill, _random);
            await Task.Delay(_random.Next(50, 900));
            await KillAsync(ends, kill);
            run.Count(kill);
        }
    }

    private async Task KillAsync(BeyondEnds ends, string kill)
    {
        if (kill == BeyondCampaign.Brokers)
        {
            broker.Kill();
            await Task.Delay(_random.Next(500));
            await broker.StartAsync();
            return;
        }
        string end = kill == BeyondCampaign.Forwarders ? BeyondSite.Forward : BeyondSite.Receive;
        ends.Kill(end);
        await Task.Delay(_random.Next(100));
        ends.Start(end);
    }
}
