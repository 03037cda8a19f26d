using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>What the system around a queue may be like, or become.</summary>
internal sealed class SystemCampaign : ICampaign
{
    /// <summary>The worker's name on the command line.</summary>
    public const string Worker = "system-worker";

    // Two at a time: most of them wait for processes.
    private const int AtOnce = 2;

    public string Name => "system";

    public string Claim =>
        "The system runs out of file descriptors, at every count that is left, while queues are opened, appended to, rolled over, consumed "
        + "and subscribed to; no file may be longer than so much, less than a segment; a file system becomes read-only in front of or "
        + "under a running queue; another user opens a queue; two processes that are both number 1 of their namespace share one, and one "
        + "is killed with the append lock in its hand; the clock jumps by a day in both directions or stands still while messages wait, "
        + "expire and are leased; a stranger truncates a file that is mapped; the directory is renamed, deleted or replaced under a "
        + "running queue. Whatever fails is an exception of the queue's own (but for the truncated file, of which those die that touch "
        + "it), nothing acknowledged is lost, and the queue goes on.";

    public IReadOnlyList<Aim> Aims { get; } = [new("parts", SystemPart.All.Count, SystemPart.All.Count)];

    public void Run(CampaignRun run)
    {
        Parallel.ForEach(SystemPart.All, new ParallelOptions { MaxDegreeOfParallelism = AtOnce }, part =>
        {
            if (part.Hindrance is { } hindrance)
            {
                run.Hinder($"{part.Name}: {hindrance}");
                return;
            }
            ReportingWorker.RunAll(run, TimeSpan.FromSeconds(90), [part.StartInfo(run.SeedText)], toTheirEnd: true);
        });
    }
}
