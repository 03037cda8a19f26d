namespace BlitQueue.Platform;

/// <summary>Tells local disks, memory and network file systems apart by the name that the system gives.</summary>
internal static class FileSystems
{
    // As in /proc/filesystems and, for those outside of the kernel, /proc/self/mountinfo; and macOS's names.
    private static readonly HashSet<string> Networks = new(StringComparer.OrdinalIgnoreCase)
    {
        "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "v9fs", "ceph", "afs", "kafs", "openafs", "coda", "ncpfs", "lustre",
        "gpfs", "beegfs", "panfs", "orangefs", "pvfs2", "glusterfs", "davfs", "davfs2", "webdav", "afpfs", "acfs",
        "sshfs", "s3fs", "gcsfuse", "rclone", "blobfuse", "blobfuse2", "juicefs", "goofys", "mount-s3", "ceph-fuse", "curlftpfs",
        "seaweedfs", "moosefs",
    };

    /// <summary>The file system that a directory is on. The directory exists.</summary>
    /// <returns>Its kind, and its name where it has one.</returns>
    public static (FileSystemKind Kind, string Name) Of(string directory)
    {
        if (OperatingSystem.IsWindows())
        {
            return WindowsVolume.Of(directory);
        }
        try
        {
            var drive = new DriveInfo(directory);
            return (KindOf(drive.DriveFormat), drive.DriveFormat);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return (FileSystemKind.Disk, "unknown");
        }
    }

    /// <summary>How many bytes of a directory's file system this user may take, and how many it has; null if it does not tell.</summary>
    public static (long Free, long Total)? SpaceOf(string directory)
    {
        try
        {
            var drive = new DriveInfo(directory);
            // A file system without a bound, such as ramfs, tells of 0 bytes.
            return drive.TotalSize is var total and > 0 ? (drive.AvailableFreeSpace, total) : null;
        }
        catch (Exception exception) when (
            exception is IOException or UnauthorizedAccessException or ArgumentException or OverflowException)
        {
            // A full XFS tells of fewer than 0 free blocks, which overflows.
            return null;
        }
    }

    /// <summary>
    /// The kind of a file system with this name; a file system outside of the kernel has the name <c>fuse.</c> and its own name.
    /// </summary>
    public static FileSystemKind KindOf(string name)
    {
        const string outside = "fuse.";
        string own = name.StartsWith(outside, StringComparison.Ordinal) ? name[outside.Length..] : name;
        return own is "tmpfs" or "ramfs" ? FileSystemKind.Memory
            : Networks.Contains(own) ? FileSystemKind.Network
            : FileSystemKind.Disk;
    }
}
