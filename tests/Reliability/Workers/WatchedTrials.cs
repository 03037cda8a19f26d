namespace BlitQueue.Reliability.Workers;

/// <summary>A campaign of many small trials that may kill or hang the process they run in: they run in others, which are watched.</summary>
internal interface IWatchedCampaign : ICampaign
{
    /// <summary>Makes one trial. Called in a worker process, from one thread.</summary>
    /// <param name="run">Counts and violations; <see cref="CampaignRun.RandomOf"/> of the part decides what is tried.</param>
    /// <param name="part">The trial's number.</param>
    void Try(CampaignRun run, long part);

    /// <summary>The bytes that a worker's heap may have: more than any trial needs, so asking for more is a length gone wrong.</summary>
    long HeapLimit => 512L << 20;
}

/// <summary>Spreads a campaign's trials over as many worker processes as the machine has processors.</summary>
internal static class WatchedTrials
{
    /// <summary>Makes trials until the run says that it is enough.</summary>
    /// <param name="run">The run.</param>
    /// <param name="campaign">Its campaign.</param>
    /// <param name="counter">What a trial counts as; null where the campaign counts by itself.</param>
    /// <param name="block">How many trials a worker is given at a time.</param>
    public static void Run(CampaignRun run, IWatchedCampaign campaign, string? counter, int block)
    {
        long next = 0;
        Parallel.For(0, Environment.ProcessorCount, new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount }, _ =>
        {
            using var process = new WatchedProcess(run, campaign);
            while (!run.IsEnough)
            {
                process.Make(Interlocked.Add(ref next, block) - block, block);
                if (counter is not null)
                {
                    run.Count(counter, block);
                }
            }
        });
    }
}
