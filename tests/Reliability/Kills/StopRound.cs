using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>Workers are stopped for a while, and some of them killed before they go on.</summary>
internal sealed class StopRound(CampaignRun run, long part, PeerPool pool) : Round(run, part, pool)
{
    protected override int Harms => 12;

    protected override int Harm(Trial trial, Worker[] crew, int[] victims)
    {
        foreach (int place in victims)
        {
            crew[place].Peer.Stop();
        }
        Thread.Sleep(Pause());
        foreach (int place in victims)
        {
            if (Random.Next(5) == 0)
            {
                trial.Kill([crew[place]]);
                Run.Count("kills of the stopped");
                crew[place] = trial.Employ(crew[place].Job);
            }
            else
            {
                crew[place].Peer.Continue();
            }
        }
        Run.Count("stops at random moments", victims.Length);
        return victims.Length;
    }

    protected override void JudgePauses(Trial trial, Probe probe) => Run.Count("appends told of a stopped process", probe.Stalls);

    // Less than the patience of the workers, who would end.
    private int Pause() => Run.IsLong && Random.Next(10) == 0 ? 2000 : Random.Next(300);
}
