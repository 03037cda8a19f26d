namespace BlitQueue.Reliability.Workers;

/// <summary>A campaign of many small trials that may kill or hang the process they run in: they run in others, which are watched.</summary>
internal interface IWatchedCampaign : ICampaign
{
    /// <summary>Makes one trial. Called in a worker process, from one thread.</summary>
    /// <param name="run">Counts and violations; <see cref="CampaignRun.RandomOf"/> of the part decides what is tried.</param>
    /// <param name="part">The trial's number.</param>
    void Try(CampaignRun run, long part);
}
