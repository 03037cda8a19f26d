using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Corruption;

/// <summary>Queues in use lose bytes, files or unsynced pages, up to three times; what is intact in the files is counted.</summary>
internal sealed class LossCampaign : IWatchedCampaign
{
    // On a disk: in memory nothing can be made durable.
    private static readonly string Root = Path.Combine(AppContext.BaseDirectory, "losses");

    public string Name => "losses";

    public string Claim =>
        "Queues in use have bytes changed, segments or queue.control removed, or unsynced pages lost, while they run, between two boots or "
        + "with the power, up to three times: every message that is intact in the files and not consumed is given, once and in order, or "
        + "told and set aside.";

    public IReadOnlyList<Aim> Aims => [new("losses", 200, 10_000)];

    public void Run(CampaignRun run) => WatchedTrials.Run(run, this, "losses", block: 20);

    public void Try(CampaignRun run, long part)
    {
        new LossTrial(run, Directory.CreateDirectory(Path.Combine(Root, $"{Environment.ProcessId}-{part}"))
            .FullName, part, run.RandomOf(part)).Run();
        run.Count("losses");
    }
}
