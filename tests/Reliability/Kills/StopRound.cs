using System.Diagnostics;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>Workers are stopped for a while, and some of them killed before they go on.</summary>
internal sealed class StopRound(CampaignRun run, long part, PeerPool pool) : Round(run, part, pool)
{
    protected override int Harms => 12;

    protected override int Harm(Trial trial, Worker[] crew, int[] victims)
    {
        long began = Stopwatch.GetTimestamp();
        foreach (int place in victims)
        {
            crew[place].Peer.Stop();
        }
        Thread.Sleep(Pause());
        foreach (int place in victims)
        {
            if (Random.Next(5) == 0)
            {
                trial.NoteStop(crew[place], began);
                trial.Kill([crew[place]]);
                Run.Count("kills of the stopped");
                crew[place] = trial.Employ(crew[place].Job);
            }
            else
            {
                crew[place].Peer.Continue();
                trial.NoteStop(crew[place], began);
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
