using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>Deletes a queue that no process has open.</summary>
internal static class QueueDeletion
{
    private const string Infix = ".deleted-";

    /// <summary>A name beside a queue for its directory while it is deleted.</summary>
    public static string NameFor(string path) => $"{path}{Infix}{Guid.NewGuid():N}";

    /// <summary>Whether a directory is a queue that was moved to be deleted: one still is, or its deleter was killed.</summary>
    public static bool HasNameOfDeleted(string path)
    {
        ReadOnlySpan<char> name = Path.GetFileName(path.AsSpan());
        int end = name.LastIndexOf(Infix, StringComparison.Ordinal);
        return end > 0 && Guid.TryParseExact(name[(end + Infix.Length)..], "N", out _);
    }

    /// <summary>Removes what calls left that were killed while they deleted this queue.</summary>
    public static void RemoveLeft(string path)
    {
        string? parent = Path.GetDirectoryName(path);
        if (parent is null || !CurrentPlatform.Instance.IsDirectory(parent))
        {
            return;
        }
        string first = Path.GetFileName(path) + Infix;
        foreach (string directory in Directory.EnumerateDirectories(parent))
        {
            if (Path.GetFileName(directory).StartsWith(first, StringComparison.Ordinal) && HasNameOfDeleted(directory))
            {
                ExpressDirectory.Remove(directory);
            }
        }
    }

    /// <summary>
    /// Whether a directory is a queue that is being deleted where it stands, or was when its deleter was killed. Beside a
    /// <c>queue.meta</c> the mark says nothing: somebody has put another queue there.
    /// </summary>
    public static bool IsMarked(string path) => CurrentPlatform.Instance.IsThere(Path.Combine(path, StoreFormat.DeletedName))
        && !CurrentPlatform.Instance.IsThere(Path.Combine(path, StoreFormat.MetaName));

    /// <summary>Deletes a queue's directory, with its dead letters and what was set aside.</summary>
    /// <param name="path">Absolute.</param>
    /// <param name="gone">Where it is moved to first, in the same file system: nothing has this name.</param>
    /// <param name="patience">How long to wait for a process that is opening it, and what ends the wait.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueException">It is open, or the system refuses.</exception>
    public static bool TryDelete(string path, string gone, Patience patience) => SystemFailure.Told(path, () =>
    {
        try
        {
            // Either way one rename under the lock begins it: an opening finds the whole queue, or none, wherever the deletion stops.
            return CurrentPlatform.Instance.RenamesDirectoriesInUse ? MoveAndDelete(path, gone, patience) : DeleteInside(path, patience);
        }
        catch (Exception exception) when (exception is DirectoryNotFoundException or FileNotFoundException)
        {
            return false;
        }
    });

    private static bool MoveAndDelete(string path, string gone, Patience patience)
    {
        using (TakeUnused(new QueueFiles(path, FileRights.OwnerAlone), patience))
        {
            Directory.Move(path, gone);
            // What a killed process leaves from here on is no queue that anybody would list, back up or open.
            File.Delete(Path.Combine(gone, StoreFormat.MetaName));
        }
        ExpressDirectory.Remove(gone);
        return true;
    }

    // The lock file goes last: who opens the queue meanwhile waits for the lock, and finds no queue afterwards.
    private static bool DeleteInside(string path, Patience patience)
    {
        var files = new QueueFiles(path, FileRights.OwnerAlone);
        using (OpeningLock opening = TakeUnused(files, patience))
        {
            if (files.Exists(StoreFormat.MetaName))
            {
                files.Rename(StoreFormat.MetaName, StoreFormat.DeletedName);
            }
            DeleteContents(files);
            opening.DeleteFile(files);
        }
        new QueueDirectory(path, Made: true).RemoveIfMadeAndEmpty();
        return true;
    }

    private static OpeningLock TakeUnused(QueueFiles files, Patience patience)
    {
        var opening = OpeningLock.Take(files, patience);
        try
        {
            Participant.RefuseAlive(opening.File, files.Directory, "deleted", patience.Token);
            return opening;
        }
        catch
        {
            opening.Dispose();
            throw;
        }
    }

    /// <summary>Has no mark of a deletion left when a queue is opened. Called with the opening lock held.</summary>
    /// <exception cref="QueueException">As <see cref="DeleteContents"/>.</exception>
    public static void CompleteIfMarked(QueueFiles files)
    {
        if (IsMarked(files.Directory))
        {
            DeleteContents(files);
        }
        else if (files.Exists(StoreFormat.DeletedName))
        {
            // Beside a queue.meta it says nothing. If that were lost later, it would say that all messages are to be deleted.
            files.Delete(StoreFormat.DeletedName);
        }
    }

    /// <summary>Deletes a queue's directories and files, but the lock file. Called with the opening lock held.</summary>
    /// <exception cref="QueueException">A process reads its dead letters, so the system does not delete them.</exception>
    private static void DeleteContents(QueueFiles files)
    {
        foreach (string directory in Directory.EnumerateDirectories(files.Directory)
            .Where(static directory => StoreFormat.IsOurDirectory(Path.GetFileName(directory))))
        {
            ExpressDirectory.Remove(directory);
            if (CurrentPlatform.Instance.IsDirectory(directory))
            {
                throw new QueueException(
                    $"{files.Directory} is being deleted, and {Path.GetFileName(directory)} in it is still in use. End the processes that "
                        + "read it, then delete or open the queue again.")
                { Reason = QueueError.InUse, Path = directory };
            }
        }
        DeleteFiles(files);
    }

    /// <summary>Deletes all files of what is no queue, but the lock file. Called with the opening lock held.</summary>
    public static void DeleteFiles(QueueFiles files)
    {
        // The mark of a deletion goes when there is nothing left for it to say.
        foreach (string name in Directory.GetFiles(files.Directory).Select(static path => Path.GetFileName(path))
            .Where(static name => StoreFormat.IsOurs(name) && name != StoreFormat.LockName)
            .OrderBy(static name => name == StoreFormat.DeletedName))
        {
            files.Delete(name);
        }
    }

    /// <summary>Throws if a queue's directory contains something that is not the queue's, or is a link.</summary>
    /// <exception cref="QueueException">It does.</exception>
    public static void RequireOursAlone(string path)
    {
        if (new DirectoryInfo(path).LinkTarget is { } target)
        {
            throw new QueueException($"{path} is a link to {target}. Nothing was deleted. Give the path of the queue's own directory.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
        if (QueueDirectory.StrangerIn(path) is { } name)
        {
            throw new QueueException(
                $"{path} contains {name}, which is not the queue's. Nothing was deleted. Move it away, or delete the directory yourself.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
    }
}
