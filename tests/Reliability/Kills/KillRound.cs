using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>Workers are killed, several at once.</summary>
internal sealed class KillRound(CampaignRun run, long part, PeerPool pool) : Round(run, part, pool)
{
    protected override int Harms => 40;

    protected override int Harm(Trial trial, Worker[] crew, int[] victims)
    {
        Worker[] dying = [.. victims.Select(place => crew[place])];
        Run.Count("kills while opening", dying.Count(static victim => !victim.IsReady));
        trial.Kill(dying);
        Run.Count("kills", dying.Length);
        foreach (int place in victims)
        {
            crew[place] = trial.Employ(crew[place].Job);
        }
        return dying.Length;
    }

    protected override void JudgePauses(Trial trial, Probe probe)
    {
        Run.Highest("us longest pause of a producer", (long)probe.Longest.TotalMicroseconds);
        Run.Highest("us longest delay of an idle thread", (long)probe.Load.TotalMicroseconds);
        trial.Require(probe.Longest < TimeSpan.FromSeconds(1) + (5 * probe.Load), $"a producer could not enqueue for {probe.Longest.TotalMilliseconds:0} ms");
    }
}
