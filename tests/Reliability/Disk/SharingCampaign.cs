using System.ComponentModel;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Disk;

/// <summary>Full disks whose file systems let copies and snapshots have the same blocks as the queue's files.</summary>
internal sealed class SharingCampaign : ICampaign
{
    /// <summary>The kinds of disks, as the site's command line names them.</summary>
    public const string Btrfs = "btrfs", Snapshots = "snapshots", Xfs = "xfs";

    private static readonly string[] Kinds = [Btrfs, Snapshots, Xfs];

    public string Name => "sharing";

    public string Claim =>
        "On btrfs, on btrfs with a snapshot in each cycle, and on XFS with a copy that shares the blocks in each cycle, all on loop "
        + "devices, the disk is filled up and freed again, as in the campaign disk, with the same processes. A full disk is "
        + "QueueFullException and never a signal; all that was acknowledged is consumed while the disk is full, once, whole and in order; "
        + "and when the copy is gone and there is room again the next message is taken. A copy is taken a quarter of a second before the "
        + "disk is full or earlier.";

    public IReadOnlyList<Aim> Aims { get; } =
        [new("full disks", 30, 1_000), .. Kinds.Select(static kind => new Aim($"full disks, {kind}", 3, 200))];

    public void Run(CampaignRun run)
    {
        if ((MountSpace.Hindrance ?? MissingTool()) is { } hindrance)
        {
            run.Hinder(hindrance);
            return;
        }
        ReportingWorker.RunAll(
            run, TimeSpan.FromSeconds(120),
            Kinds.Select(kind => SelfProcess.Wrapped(MountSpace.Wrapper, DiskCampaign.Site, kind, run.SeedText)));
    }

    /// <summary>What is not installed; null where all is.</summary>
    public static string? MissingTool()
    {
        foreach (string tool in (string[])["mkfs.btrfs", "mkfs.xfs", "btrfs"])
        {
            try
            {
                MountSpace.Run(tool, tool == "mkfs.xfs" ? "-V" : "--version");
            }
            catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
            {
                return $"there is no {tool} here: {exception.Message}";
            }
        }
        return null;
    }
}
