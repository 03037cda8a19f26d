using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Disk;

/// <summary>Disks that become full, and have room again.</summary>
internal sealed class DiskCampaign : ICampaign
{
    /// <summary>The name on the command line of the process that has a disk, and of those that use it.</summary>
    public const string Site = "disk-site", Worker = "disk-worker";

    /// <summary>The kinds of disks, as the site's command line names them: tmpfs; ext4 on a loop device.</summary>
    public const string Memory = "memory", Loop = "loop";

    public string Name => "disk";

    public string Claim =>
        "On small file systems (tmpfs with few bytes, tmpfs with few files, ext4 on a loop device) a process enqueues single messages, "
        + "batches and transactions of all sizes, with PageCache and with Commit, until the disk is full; sometimes others fill it "
        + "meanwhile. Another consumes some or all of it, there is room again, and it goes on in the same queue. Some producers are killed "
        + "at work or while the disk is full, some processes open the queue anew on the full disk. A full disk is QueueFullException and "
        + "never a signal; what was acknowledged comes, once, whole and in order; what was refused does not; nothing half-made stays; and "
        + "once everything is consumed the next message is taken, though the disk is as full as before.";

    public IReadOnlyList<Aim> Aims { get; } = [new("full disks", 200, 5_000), new("full disks, ext4", 20, 200)];

    public void Run(CampaignRun run)
    {
        if (MountSpace.Hindrance is { } hindrance)
        {
            run.Hinder(hindrance);
            return;
        }
        // The mounts are the site's alone, and go with it, however it ends.
        ReportingWorker.RunAll(run, TimeSpan.FromSeconds(90), ((string[])[Memory, Loop]).Select(kind =>
            SelfProcess.Wrapped(MountSpace.Wrapper, Site, kind, run.SeedText)));
    }
}
