using BlitQueue.Reliability.Disk;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Copies;

/// <summary>Copies of a queue that is at work, by all that people copy with.</summary>
internal sealed class CopiesCampaign : ICampaign
{
    /// <summary>The name on the command line of the process that has a queue and copies it.</summary>
    public const string Site = "copies-site";

    /// <summary>
    /// Where the queue stands and what it is copied by: without a mount; on XFS; on btrfs; on ext4 of which the image is copied. And a
    /// store, without a mount.
    /// </summary>
    public const string Ordinary = "ordinary", Image = "image", Store = "store";

    public string Name => "copies";

    public string Claim =>
        "While threads enqueue, dequeue and lease without a pause, with and without a ring of files, the queue is copied: by cp -r, rsync "
        + "-a, cp --reflink (XFS), a snapshot (btrfs), an image of the disk (ext4, without a freeze), Backup, and by rsync over an earlier "
        + "copy once all handles are disposed. Each copy is opened on the same boot of the system or as on another, gets 100 messages "
        + "more, and is emptied by both subscriptions. What comes is whole and in order, and begins with what was not consumed; nothing "
        + "that was acknowledged when copying began is missing, nor anything in between, unless it is told (in an image, of what nobody "
        + "had synced, the end may be missing, as after a loss of power); what was enqueued into the copy comes, all of it. After Backup "
        + "and after an end nothing is missing and nothing is told; after an end nothing comes twice either. The same of a store of three "
        + "queues, whose threads enqueue into two of them, and move messages from one to another, in transactions: each of its queues is "
        + "judged as a queue alone; after Backup and after an end each message is in the copy of one queue or of the other, and never in "
        + "both; and the copy is used with transactions.";

    public IReadOnlyList<Aim> Aims { get; } =
        [new("copies", 60, 1_000), .. StoreWays.Select(static way => new Aim($"{Store}, {way}", 1, 50))];

    private static string[] StoreWays => [CopyWay.Cp, CopyWay.Rsync, CopyWay.Backup, CopyWay.AfterTheEnd];

    public void Run(CampaignRun run)
    {
        string[] kinds = [Ordinary, Store, SharingCampaign.Xfs, SharingCampaign.Btrfs, Image];
        if ((MountSpace.Hindrance ?? SharingCampaign.MissingTool()) is { } hindrance)
        {
            run.Hinder($"only cp, rsync and Backup are tried: {hindrance}");
            kinds = [Ordinary, Store];
        }
        ReportingWorker.RunAll(run, TimeSpan.FromSeconds(120), kinds.Select(kind =>
            SelfProcess.Wrapped(kind is Ordinary or Store ? [] : MountSpace.Wrapper, Site, kind, run.SeedText)));
    }
}
