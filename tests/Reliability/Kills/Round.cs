using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>
/// Some workers at one place, to whom something is done at random moments, again and again; at the end the checker judges.
/// </summary>
internal abstract class Round(CampaignRun run, long part, PeerPool pool)
{
    private const int LongestPeace = 50;

    protected CampaignRun Run { get; } = run;

    protected Random Random { get; } = run.RandomOf(part);

    /// <summary>How much is done to the workers of one round.</summary>
    protected abstract int Harms { get; }

    /// <summary>Does it to some workers; the dead among them are replaced.</summary>
    /// <returns>To how many.</returns>
    protected abstract int Harm(Trial trial, Worker[] crew, int[] victims);

    /// <summary>What the living felt of it.</summary>
    protected abstract void JudgePauses(Trial trial, Probe probe);

    public void Try()
    {
        bool inMemory = Random.Next(3) != 0;
        using var trial = new Trial(Run, $"--part {part}", pool, inMemory);
        IScene scene = part % 3 == 2 ? new StoreScene(trial, Random) : new QueueScene(trial, Random);
        using MappedQueue<Parcel>? queue = scene.OpenProbed();
        Probe? probe = queue is null ? null : new Probe(queue, trial.OpenLog(new Job("probe") { Operations = [1] }));
        Worker[] crew = [.. scene.Jobs.Select(job => trial.Employ(job))];
        try
        {
            for (int harms = 0; harms < Harms && !Run.TimeIsUp;)
            {
                harms += Harm(trial, crew, ChooseVictims(crew));
            }
            End(trial, crew, probe, inMemory ? "in memory" : "on a disk");
        }
        catch (Exception exception)
        {
            // What is still open would be told instead.
            trial.Violate(exception.ToString());
            probe?.Dispose();
            throw;
        }
        queue?.Dispose();
        scene.Empty(trial);
        trial.Judge();
        Run.Count("rounds");
    }

    private int[] ChooseVictims(Worker[] crew)
    {
        int[] indices = [.. Enumerable.Range(0, crew.Length)];
        Random.Shuffle(indices);
        int[] victims = indices[..(Random.Next(12) == 0 ? crew.Length : Math.Min(crew.Length, 1 + Random.Next(3)))];
        // One time in four a victim may still be opening the queue.
        if (Random.Next(4) != 0)
        {
            SpinWait.SpinUntil(
                () => Array.TrueForAll(victims, index => crew[index].IsReady || crew[index].Peer.HasExited), PeerProcess.Patience);
        }
        Thread.Sleep(Random.Next(LongestPeace));
        return victims;
    }

    // Producers first: they may wait for room, which the others make. All of them at once, and the probe: one that sends little takes the
    // room that a large batch waits for.
    private void End(Trial trial, Worker[] crew, Probe? probe, string medium)
    {
        foreach (Worker worker in crew.Where(static worker => worker.Job.Produces))
        {
            worker.Peer.EndInput();
        }
        if (probe is not null)
        {
            if (probe.End() is { } failure)
            {
                trial.Violate($"a producer that nobody touched failed: {failure}");
            }
            Run.Measure("TryEnqueue", probe.All);
            Run.Measure($"TryEnqueue {medium}, no idle thread late", probe.Calm);
            Run.Measure($"TryEnqueue {medium}, while its thread had a processor or slept", probe.Served);
            Run.Measure("waits of TryEnqueue's own thread for a processor", probe.Unserved);
            JudgePauses(trial, probe);
        }
        foreach (Worker worker in crew.Where(static worker => worker.Job.Produces))
        {
            trial.Finish(worker);
        }
        foreach (Worker worker in crew.Where(static worker => !worker.Job.Produces))
        {
            trial.Finish(worker);
        }
    }
}
