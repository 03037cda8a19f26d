namespace BlitQueue.Reliability.Disk;

/// <summary>A copy or snapshot of the queue's directory that has the same blocks.</summary>
internal sealed class SharedCopy
{
    // Two looks of the queue at whether its blocks are shared, and the time to make them its own.
    private static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(250);

    private readonly string _kind;
    private readonly string _root;
    private readonly string _copy;

    private SharedCopy(string kind, string root) => (_kind, _root, _copy) = (kind, root, Path.Combine(root, "copy"));

    /// <summary>null where the kind of disk has none.</summary>
    public static SharedCopy? Of(string kind, string root) => kind is "memory" or "loop" ? null : new SharedCopy(kind, root);

    /// <summary>Makes the directory that is to be copied, where that is more than a directory.</summary>
    public void Prepare(string root)
    {
        if (_kind == SharingCampaign.Snapshots)
        {
            MountSpace.Run("btrfs", "subvolume", "create", root);
        }
    }

    /// <summary>Takes it while others use the queue.</summary>
    public void Take(string root)
    {
        switch (_kind)
        {
            case SharingCampaign.Snapshots:
                MountSpace.Run("btrfs", "subvolume", "snapshot", root, _copy);
                break;
            case SharingCampaign.Xfs:
                CopyWhatIsThere(root);
                break;
            default:
                return;
        }
        Thread.Sleep(Grace);
    }

    // A segment may be given up between its being listed and its being copied.
    private void CopyWhatIsThere(string root)
    {
        try
        {
            MountSpace.Run("cp", "-r", "--reflink=always", root, _copy);
        }
        catch (InvalidOperationException exception) when (exception.Message.Contains("No such file", StringComparison.Ordinal))
        {
        }
    }

    /// <summary>Deletes it, and waits until there is room again.</summary>
    public void Delete()
    {
        if (_kind == SharingCampaign.Snapshots)
        {
            MountSpace.Run("btrfs", "subvolume", "delete", "--commit-after", _copy);
            MountSpace.Run("btrfs", "subvolume", "sync", _root);
        }
        else if (Directory.Exists(_copy))
        {
            Directory.Delete(_copy, recursive: true);
        }
        MountSpace.Run("sync", "-f", _root);
    }
}
