namespace BlitQueue.Tests.Processes;

/// <summary>A btrfs on a loop device, one subvolume of which is mounted at a time, always at the same place.</summary>
internal sealed class BtrfsDisk : IDisposable
{
    private readonly string _image, _top;
    private bool _isMounted;

    public BtrfsDisk(string root)
    {
        _image = Path.Combine(root, "image");
        _top = Directory.CreateDirectory(Path.Combine(root, "top")).FullName;
        MountPoint = Directory.CreateDirectory(Path.Combine(root, "disk")).FullName;
        LoopDisk.Run("truncate", "-s", "200m", _image);
        LoopDisk.Run("mkfs.btrfs", "-q", _image);
        OnTop("subvolume", "create", Path.Combine(_top, "original"));
        Mount("original");
    }

    /// <summary>Where a subvolume is mounted.</summary>
    public string MountPoint { get; }

    /// <summary>Takes a snapshot of what is mounted, and mounts the snapshot in its place.</summary>
    public void GoOnInSnapshot()
    {
        Unmount();
        OnTop("subvolume", "snapshot", Path.Combine(_top, "original"), Path.Combine(_top, "snapshot"));
        Mount("snapshot");
    }

    private void OnTop(params string[] arguments)
    {
        LoopDisk.Run("mount", "-o", "loop", _image, _top);
        try
        {
            LoopDisk.Run("btrfs", arguments);
        }
        finally
        {
            LoopDisk.Run("umount", _top);
        }
    }

    private void Mount(string subvolume)
    {
        LoopDisk.Run("mount", "-o", $"loop,subvol={subvolume}", _image, MountPoint);
        _isMounted = true;
    }

    private void Unmount()
    {
        LoopDisk.Run("umount", MountPoint);
        _isMounted = false;
    }

    public void Dispose()
    {
        if (_isMounted)
        {
            Unmount();
        }
    }
}
