using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>SIGKILL at random moments.</summary>
internal sealed class KillCampaign : ICampaign
{
    private const int Spares = 6;

    public string Name => "kills";

    public string Claim =>
        "Producers (single, batches over segments, with properties, asynchronous, opening and closing), consumers (one by one, batches, "
        + "leases, dead letters), makers of subscriptions and transactions are killed at random moments, several at once, also while they "
        + "open the queue; some are threads that share a handle, some take over leases after a time-out. From the logs that they wrote "
        + "themselves: nothing acknowledged is lost, doubled, torn, out of order or taken from the living before its time, nobody else "
        + "dies, and who is told of a stalled process is told of one that was killed just then.";

    public IReadOnlyList<Aim> Aims { get; } = [new Aim("kills", 500, 10_000), new Aim("deliveries", 100_000, 2_000_000)];

    public void Run(CampaignRun run)
    {
        using var pool = new PeerPool(Spares);
        run.TryParts(part => new KillRound(run, part, pool).Try());
    }
}

/// <summary>Workers are killed, several at once.</summary>
internal sealed class KillRound(CampaignRun run, long part, PeerPool pool) : Round(run, part, pool)
{
    protected override int Harms => 40;

    protected override int Harm(Trial trial, Worker[] crew, int[] victims)
    {
        Worker[] dying = [.. victims.Select(index => crew[index])];
        Run.Count("kills while opening", dying.Count(static victim => !victim.IsReady));
        trial.Kill(dying);
        Run.Count("kills", dying.Length);
        foreach (int index in victims)
        {
            crew[index] = trial.Employ(crew[index].Job);
        }
        return dying.Length;
    }

    protected override void JudgePauses(Trial trial, Probe probe)
    {
        Run.Highest("us longest pause of a producer", (long)probe.Longest.TotalMicroseconds);
        Run.Highest("us longest delay of an idle thread", (long)probe.Load.TotalMicroseconds);
        trial.Require(
            probe.Longest < TimeSpan.FromSeconds(1) + (5 * probe.Load),
            $"a producer could not enqueue for {probe.Longest.TotalMilliseconds:0} ms");
    }
}
