using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>The kind and the name of the file system that a queue's directory is on.</summary>
internal readonly record struct StoreMedium(FileSystemKind Kind, string Name)
{
    public bool IsMemory => Kind == FileSystemKind.Memory;

    /// <summary>Whether a file may share blocks with its copies and snapshots, so that a write to them takes new blocks.</summary>
    public bool SharesBlocks => Name is "btrfs" or "xfs" or "overlay" or "overlayfs" or "ocfs2" or "bcachefs" or "zfs";

    /// <summary>Whether each write to a file takes new blocks, unless the file was made otherwise.</summary>
    public bool CopiesOnWrite => Name is "btrfs";

    /// <summary>Whether each write takes new blocks in any case, and no file has blocks in reserve.</summary>
    public bool ReservesNothing => Name is "zfs";

    /// <summary>Whether each write takes new blocks, whatever flags or reservations a file has.</summary>
    public bool AlwaysCopiesOnWrite => Name is "zfs" or "bcachefs";

    /// <summary>What the file system cannot promise to a queue in this directory, in a sentence; null where it promises all.</summary>
    public string? CautionFor(string directory) => AlwaysCopiesOnWrite
        ? $"{directory} is on {Name}, where each write may need a new block and nothing can be reserved: while the disk is full, a write "
            + "to the queue's files may end the process (SIGBUS). Leave twice the queue's Capacity free on that file system, or choose "
            + "another (docs/durability.md)."
        : null;

    /// <summary>The medium that a directory is on, or would be made on.</summary>
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

    // Where the user may not look, the user cannot make a queue either: the call that tries to reports it.
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
                + "local directory, and run all processes of the queue on that machine.")
            { Reason = QueueError.UnsupportedFileSystem, Path = Path.GetFullPath(path) };
        }
    }
}
