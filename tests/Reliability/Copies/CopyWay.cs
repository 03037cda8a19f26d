using BlitQueue.Reliability.Disk;

namespace BlitQueue.Reliability.Copies;

/// <summary>The ways to copy a queue's directory.</summary>
/// <param name="queue">The queue's directory, in one that holds nothing else.</param>
/// <param name="copy">Where the copy goes.</param>
/// <param name="image">The image of the disk that the queue is on, if that is copied.</param>
internal sealed class CopyWay(string queue, string copy, string? image)
{
    public const string Cp = "cp -r", Rsync = "rsync -a", Reflink = "cp --reflink", Snapshot = "snapshot", Image = "image",
        Backup = "Backup",
        AfterTheEnd = "rsync over an earlier copy after the end";

    private readonly string _site = Path.GetDirectoryName(queue)!;
    private string? _mounted;

    /// <summary>The directory of the copied queue.</summary>
    public string Copied { get; private set; } = "";

    /// <summary>Makes the directory that the queue's is in.</summary>
    public void PrepareSite()
    {
        if (IsOnBtrfs)
        {
            MountSpace.Run("btrfs", "subvolume", "create", _site);
        }
        Directory.CreateDirectory(_site);
    }

    /// <summary>Deletes it.</summary>
    public void DeleteSite()
    {
        Directory.Delete(queue, recursive: true);
        if (IsOnBtrfs)
        {
            MountSpace.Run("btrfs", "subvolume", "delete", _site);
        }
        else
        {
            Directory.Delete(_site, recursive: true);
        }
    }

    private bool IsOnBtrfs => new DriveInfo(Path.GetDirectoryName(_site)!).DriveFormat == "btrfs";

    /// <returns>false where files went away while they were copied, and no copy came of it.</returns>
    public bool Take(string way)
    {
        Copied = copy;
        try
        {
            switch (way)
            {
                case Cp:
                    MountSpace.Run("cp", "-r", "--reflink=never", queue, copy);
                    break;
                case Reflink:
                    MountSpace.Run("cp", "-r", "--reflink=always", queue, copy);
                    break;
                case Rsync or AfterTheEnd:
                    MountSpace.Run("rsync", "-a", "--delete", queue + "/", copy);
                    break;
                case Snapshot:
                    MountSpace.Run("btrfs", "subvolume", "snapshot", _site, copy);
                    Copied = Path.Combine(copy, Path.GetFileName(queue));
                    break;
                case Backup:
                    MappedQueue.Backup(queue, copy);
                    break;
                default:
                    return TryImage();
            }
        }
        catch (InvalidOperationException exception) when (HasVanished(exception.Message))
        {
            // A segment that was given up: what is there is a copy all the same.
        }
        return true;
    }

    private static bool HasVanished(string message) =>
        message.Contains("No such file", StringComparison.Ordinal) || message.Contains("vanished", StringComparison.Ordinal);

    private bool TryImage()
    {
        MountSpace.Run("cp", "--sparse=always", image!, image + ".copy");
        _mounted = Directory.CreateDirectory(image + ".mounted").FullName;
        try
        {
            MountSpace.Run("mount", "-o", "loop", image + ".copy", _mounted);
        }
        catch (InvalidOperationException)
        {
            // Of different moments itself, so that the file system is none.
            _mounted = null;
            return false;
        }
        Copied = Path.Combine(_mounted, Path.GetRelativePath(Path.GetDirectoryName(_site)!, queue));
        return Directory.Exists(Copied);
    }

    /// <summary>Deletes the copy.</summary>
    public void Delete()
    {
        if (image is not null)
        {
            if (_mounted is not null)
            {
                MountSpace.Run("umount", _mounted);
            }
            File.Delete(image + ".copy");
        }
        else if (Copied != copy)
        {
            MountSpace.Run("btrfs", "subvolume", "delete", copy);
        }
        else if (Directory.Exists(copy))
        {
            Directory.Delete(copy, recursive: true);
        }
        _mounted = null;
    }
}
