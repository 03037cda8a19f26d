using BlitQueue.Reliability.Native;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Faults;

/// <summary>Calls of the system fail, one after the other, as SQLite's tests have them fail.</summary>
internal sealed class CallsCampaign : ICampaign
{
    /// <summary>The worker's name on the command line.</summary>
    public const string Worker = "calls-worker";

    public string Name => "calls";

    public string Claim =>
        "In each scenario (a queue is made, opened, rolls over, commits, consumes and deletes segments, runs a transaction, recovers, "
        + "makes and deletes a subscription, waits, is backed up, is read through, grows its message type) the nth call of each kind "
        + "(open, mkdir, rename, unlink, fallocate, write, read, mmap, msync, fsync, lock, madvise, futex, statx, ioctl, fchmod, fchown, "
        + "utimensat, mprotect) fails with the errors that systems give, once and for good, for every n until a run has none left to fail. "
        + "Each ends in success or an exception of the queue's own; afterwards the queue opens, nothing acknowledged is lost, nothing "
        + "half-made is left, and it goes on.";

    public IReadOnlyList<Aim> Aims { get; } = [new("scenarios", Scenario.All.Count, Scenario.All.Count), new("calls", 1_500, 20_000)];

    public void Run(CampaignRun run)
    {
        if (CallsLibrary.Hindrance is { } hindrance)
        {
            run.Hinder(hindrance);
            return;
        }
        int count = Environment.ProcessorCount;
        ReportingWorker.RunAll(
            run, TimeSpan.FromSeconds(60),
            Enumerable.Range(0, count).Select(first =>
                CallsLibrary.StartInfo(Worker, run.SeedText, $"{first}", $"{count}", run.IsLong ? "1" : "0")));
    }
}
