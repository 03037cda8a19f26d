using BlitQueue.Platform;

namespace BlitQueue.Sharing;

/// <summary>Turns the system's refusal into the exception that users see.</summary>
internal static class SharedRefusal
{
    /// <summary>For exception filters: whether <see cref="Of"/> knows the exception.</summary>
    public static bool Is(Exception exception) => exception is IOException or UnauthorizedAccessException;

    public static QueueException Of(string path, Exception exception) => exception switch
    {
        UnauthorizedAccessException => new QueueException(
            $"{path}: this user has no right to read and write it ({exception.Message}). Nothing was changed. It belongs to another user, "
            + "or its rights are others: let its owner open it to you, or choose another name or path.", exception)
        { Reason = QueueError.AccessDenied, Path = path },
        IrregularFileException irregular => new QueueException(
            $"{path} is {irregular.Kind}, and no shared object. Nothing was followed, read or changed. Choose another name or path.",
            exception)
        { Reason = QueueError.NotAQueue, Path = path },
        IOException full when DiskFullException.Is(full) => new QueueFullException(
            $"{path}: the file system has no room for it ({exception.Message}). Nothing was changed. Free memory or disk space.", exception)
        { Path = path },
        IOException fixedDisk when ReadOnlyDisk.Is(fixedDisk) => new QueueException(
            $"{path} is on a read-only file system ({exception.Message}). Nothing was changed. Choose another path.", exception)
        { Reason = QueueError.ReadOnly, Path = path },
        DirectoryNotFoundException => new QueueException(
            $"{path}: there is no such directory ({exception.Message}). Make it first, or choose another path.", exception)
        { Reason = QueueError.NotFound, Path = path },
        _ => new QueueException($"{path}: the system refuses ({exception.Message}). Try again where the cause is over.", exception)
        { Reason = QueueError.SystemRefused, Path = path },
    };
}
