using System.Diagnostics;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>SIGSTOP and SIGCONT.</summary>
internal sealed class StopCampaign : ICampaign
{
    private const int Spares = 4;

    // Every so many parts are a round of stops at random moments.
    private const int Random = 8;

    private static readonly Action<StopPlay>[] Plays =
    [
        .. StopPlay.QueueSteps.Select(static step => (Action<StopPlay>)(play => play.TryQueue(step))),
        .. StopPlay.BiasSteps.Select(static step => (Action<StopPlay>)(play => play.TryBias(step))),
        .. StopPlay.StoreSteps.Select(static step => (Action<StopPlay>)(play => play.TryStore(step))),
        .. ObjectStops.All.Select(static one => (Action<StopPlay>)(play => play.TryObject(one))),
    ];

    public string Name => "stops";

    public string Claim =>
        "Processes are stopped at random moments and at named steps, and go on after a while; some are killed while they are stopped, some "
        + "are threads that share a handle, some take over leases after a time-out. Nothing is taken from a stopped process: a process "
        + "that needs its lock gets a QueueStalledException that names it, with nothing enqueued or committed, nobody is told of a process "
        + "that was not stopped, all others go on, and afterwards nothing is lost, doubled or torn. So it is with shared objects and "
        + "calls: a process that waits for a lock or a call that a stopped one has is told which process that is, when its time is over.";

    public IReadOnlyList<Aim> Aims { get; } =
        [new Aim("stops at steps", Plays.Length, 40 * Plays.Length), new Aim("stops at random moments", 40, 2000)];

    public void Run(CampaignRun run)
    {
        using var pool = new PeerPool(Spares);
        run.TryParts(part => Try(run, part, pool));
    }

    private static void Try(CampaignRun run, long part, PeerPool pool)
    {
        if (part % Random == 0)
        {
            new StopRound(run, part, pool).Try();
        }
        else
        {
            Plays[(part - 1 - (part / Random)) % Plays.Length](new StopPlay(run, part, pool));
        }
    }
}

/// <summary>Workers are stopped for a while, and some of them killed before they go on.</summary>
internal sealed class StopRound(CampaignRun run, long part, PeerPool pool) : Round(run, part, pool)
{
    protected override int Harms => 12;

    protected override int Harm(Trial trial, Worker[] crew, int[] victims)
    {
        long began = Stopwatch.GetTimestamp();
        foreach (int index in victims)
        {
            crew[index].Peer.Stop();
        }
        Thread.Sleep(Pause());
        foreach (int index in victims)
        {
            if (Random.Next(5) == 0)
            {
                trial.NoteStop(crew[index], began);
                trial.Kill([crew[index]]);
                Run.Count("kills of the stopped");
                crew[index] = trial.Employ(crew[index].Job);
            }
            else
            {
                crew[index].Peer.Continue();
                trial.NoteStop(crew[index], began);
            }
        }
        Run.Count("stops at random moments", victims.Length);
        return victims.Length;
    }

    // The checker asks of each stall whether the process that it names was stopped.
    protected override void JudgePauses(Trial trial, Probe probe)
    {
    }

    // Less than the patience of the workers, who would end.
    private int Pause() => Run.IsLong && Random.Next(10) == 0 ? 2000 : Random.Next(300);
}
