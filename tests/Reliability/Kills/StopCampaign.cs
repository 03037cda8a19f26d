using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>SIGSTOP and SIGCONT.</summary>
internal sealed class StopCampaign : ICampaign
{
    private const int Spares = 4;

    // Every so many parts are a round of stops at random moments.
    private const int Random = 8;

    private static readonly int Steps = StopPlay.QueueSteps.Length + StopPlay.StoreSteps.Length;

    public string Name => "stops";

    public string Claim =>
        "Processes are stopped at random moments and at named steps, and go on after a while; some are killed while they are stopped, some are threads that share a handle, some take over leases after a time-out. Nothing is taken from a stopped process: "
        + "who needs its turn gets a QueueStalledException that names it, with nothing enqueued or committed, nobody is told of a process that was not stopped, everybody else goes on, and afterwards nothing is lost, doubled or torn.";

    public IReadOnlyList<Aim> Aims { get; } = [new Aim("stops at steps", Steps, 40 * Steps), new Aim("stops at random moments", 40, 2000)];

    public void Run(CampaignRun run)
    {
        using var pool = new PeerPool(Spares);
        foreach (long part in run.Parts)
        {
            PartRun.Try(run, part, () => Try(run, part, pool));
        }
    }

    private static void Try(CampaignRun run, long part, PeerPool pool)
    {
        int step = (int)((part - 1 - (part / Random)) % Steps);
        if (part % Random == 0)
        {
            new StopRound(run, part, pool).Try();
        }
        else if (step < StopPlay.QueueSteps.Length)
        {
            new StopPlay(run, part, pool).TryQueue(StopPlay.QueueSteps[step]);
        }
        else
        {
            new StopPlay(run, part, pool).TryStore(StopPlay.StoreSteps[step - StopPlay.QueueSteps.Length]);
        }
    }
}
