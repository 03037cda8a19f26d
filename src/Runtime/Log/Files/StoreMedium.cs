using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>What a queue's directory is kept in, and its file system's name.</summary>
internal readonly record struct StoreMedium(FileSystemKind Kind, string Name)
{
    public bool IsMemory => Kind == FileSystemKind.Memory;

    /// <summary>Whether copies and snapshots may have the same blocks as a file, so that to write there takes new ones.</summary>
    public bool SharesBlocks => Name is "btrfs" or "xfs" or "overlay" or "overlayfs" or "ocfs2" or "bcachefs" or "zfs";

    /// <summary>Whether a file's blocks are written to new places unless it was made otherwise.</summary>
    public bool CopiesOnWrite => Name is "btrfs";

    /// <summary>Where a directory is, or would be made.</summary>
    public static StoreMedium Of(string path)
    {
        string there = Path.GetFullPath(path);
        while (!CanBeEntered(there) && Path.GetDirectoryName(there) is { } parent)
        {
            there = parent;
        }
        (FileSystemKind kind, string name) = FileSystems.Of(there);
        return new StoreMedium(kind, name);
    }

    // Where the caller may not look, nothing of ours can be made either: that is told by what tries to.
    private static bool CanBeEntered(string path)
    {
        try
        {
            return CurrentPlatform.Instance.IsDirectory(path);
        }
        catch (UnauthorizedAccessException)
        {
            return false;
        }
        catch (IOException exception)
        {
            throw SystemFailure.Of(path, exception);
        }
    }

    /// <exception cref="QueueException">The directory is, or would be, on a network file system.</exception>
    public static void RefuseNetwork(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        if (Of(path) is { Kind: FileSystemKind.Network } medium)
        {
            throw new QueueException(
                $"{Path.GetFullPath(path)} is on a network file system ({medium.Name}). The processes of a queue work on the same mapped "
                + "memory and learn of each other's deaths by file locks, which only holds on one machine's own file systems. Choose a "
                + "local directory, and run all processes of the queue on that machine.");
        }
    }
}
