using System.Globalization;
using BlitQueue.Bench.Measuring;
using BlitQueue.Reliability.Kills;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Soak;

/// <summary>Long work without harm.</summary>
internal sealed class SoakCampaign : ICampaign
{
    private static readonly double[] Percentiles = [50, 99, 99.9, 99.99];

    public string Name => "soak";

    public string Claim =>
        "Processes produce, consume with leases and in one step, look with cursors, pass on in transactions, open and close, make and "
        + "delete subscriptions, while what waits grows and shrinks. Memory, descriptors, mappings and files stay as they are after a "
        + "warm-up, and as many messages are consumed as were enqueued. Latencies are of messages at a fixed rate, from the moment at "
        + "which each was meant to be sent.";

    public IReadOnlyList<Aim> Aims { get; } = [new Aim("seconds", 30, 1200), new Aim("messages", 20_000, 1_000_000)];

    public void Run(CampaignRun run)
    {
        Random random = run.RandomOf(1);
        using var pool = new PeerPool(2);
        using var trial = new Trial(run, "soak", pool, inMemory: random.Next(2) == 0);
        var site = new SoakSite(trial, random);
        using var pair = new PacedPair(Path.Combine(trial.Root, "paced"), SoakSite.Options);
        var step = TimeSpan.FromSeconds(run.IsLong ? 5 : 1);
        // The messages are counted at the end.
        while (!run.TimeIsUp && !run.Reached(Aims[0]))
        {
            Thread.Sleep(step);
            site.Sample();
            run.Count("seconds", (long)step.TotalSeconds);
        }
        if (pair.End() is { } failure)
        {
            trial.Violate(failure);
        }
        run.Count("messages", site.End() + pair.Received);
        site.Report(run);
        Report(run, "enqueue", pair.Enqueue);
        Report(run, "end to end", pair.EndToEnd);
    }

    private static void Report(CampaignRun run, string name, LatencyHistogram histogram)
    {
        foreach (double percentile in Percentiles)
        {
            run.Highest(string.Create(CultureInfo.InvariantCulture, $"us {name} p{percentile}"), histogram.Percentile(percentile) / 1000);
        }
        run.Highest($"us {name} max", histogram.Max / 1000);
    }
}
