using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Turns the system's refusal of a call into the exception that users see: too many open files, no memory for a mapping, a disk that fails.
/// </summary>
internal static class SystemFailure
{
    /// <summary>For exception filters: whether <see cref="Of"/> knows the exception.</summary>
    public static bool Is(Exception exception) => exception is IOException or UnauthorizedAccessException;

    /// <summary>The exception to throw for a directory or file about which the system threw this one.</summary>
    public static QueueException Of(string path, Exception exception) =>
        exception is UnauthorizedAccessException ? QueueDirectory.NoRights(path, exception)
        : ReadOnlyDisk.Is(exception)
        ? new QueueException(
            $"{path} is on a read-only file system ({exception.Message}). Nothing was enqueued or changed. A queue is written to also by "
            + "who consumes: mount the file system for writing, or choose another path. To read alone there are QueueReader and "
            + "MappedQueue.Verify.", exception)
        { Reason = QueueError.ReadOnly, Path = path }
        : exception is OvertakenException
        ? new QueueException(
            $"{path}: {StoreFormat.LockName} or the directory was deleted or replaced each time this process was about to open the queue. "
            + "Nothing was enqueued. End what deletes them, then open the queue again.", exception)
        { Reason = QueueError.DirectoryReplaced, Path = path }
        : exception is DirectoryNotFoundException
        ? new QueueException(
            $"{path}, or a directory in it, was deleted or moved during the call ({exception.Message}). Nothing was enqueued.", exception)
        { Reason = QueueError.NotFound, Path = path }
        : exception is IOException full && DiskFullException.Is(full)
        ? new QueueFullException(
            $"{path}: the disk has no room ({exception.Message}). Nothing was enqueued. Free disk space, or let consumers catch up.",
            exception)
        { Path = path }
        : new QueueException(
            $"{path}: the system refuses ({exception.Message}). Nothing was enqueued. Of a file that the call was to make or delete either "
            + "may be the case, and the queue goes on with both; where the cause is over, the same call does the rest.",
            exception)
        { Reason = QueueError.SystemRefused, Path = path };

    /// <summary>Runs work that calls the system; where the system refuses, throws what <see cref="Of"/> says.</summary>
    public static TAnswer Told<TAnswer>(string path, Func<TAnswer> work)
    {
        try
        {
            return work();
        }
        catch (Exception exception) when (Is(exception))
        {
            throw Of(path, exception);
        }
    }
}
