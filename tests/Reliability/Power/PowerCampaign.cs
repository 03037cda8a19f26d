using BlitQueue.Reliability.Native;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Power;

/// <summary>
/// Power losses, by a model of what a disk may hold: runs are recorded page by page and sync by sync, and made into crash images.
/// </summary>
internal sealed class PowerCampaign : ICampaign
{
    /// <summary>The worker's name on the command line.</summary>
    public const string Worker = "power-worker";

    /// <summary>Set to a run's number, that run alone is repeated.</summary>
    private const string RunVariable = "BLITQUEUE_POWER_RUN";

    public string Name => "power";

    public string Claim =>
        "Runs of real queues (all levels of durability, consumers, leases given back with reasons, dead letters that are requeued, "
        + "transactions, segments used anew, subscriptions made and deleted) are recorded: what each 4 KiB page held when, and what was "
        + "synced when. At any moment the power goes: each page since "
        + "its last sync is old, new, in between or torn between sectors of 512 bytes; lengths, names and removals of files are lost each "
        + "by itself unless synced. Every image opens, holds every message that was called durable, none torn, none that was never "
        + "enqueued or that a recovery had given up, delivers everything that nobody has consumed, durable transactions as a whole or not "
        + "at all, and goes on. What was set aside in a queue that commits is there as a letter, or as the message that the letter became, "
        + "and each letter has its own message's reason. What is lost in front of something that is there is told as a hole. Some "
        + "go on and lose power a second, third and fourth time: nothing comes back, and nothing out of order.";

    public IReadOnlyList<Aim> Aims { get; } = [new("images", 1_000, 20_000)];

    public void Run(CampaignRun run)
    {
        if (CallsLibrary.Hindrance is { } hindrance)
        {
            run.Hinder(hindrance);
            return;
        }
        string? only = Environment.GetEnvironmentVariable(RunVariable);
        string[] firsts = only is null ? [.. Enumerable.Range(0, Environment.ProcessorCount).Select(static first => $"{first}")] : [only];
        ReportingWorker.RunAll(run, TimeSpan.FromSeconds(60), firsts.Select(first =>
            CallsLibrary.StartInfo(Worker, run.SeedText, first, $"{firsts.Length}")));
    }
}
