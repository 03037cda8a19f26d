using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>Deletes a queue that no process has open.</summary>
internal static class QueueDeletion
{
    private const string Infix = ".deleted-";

    /// <summary>A name beside a queue for its directory while it is deleted.</summary>
    public static string NameFor(string path) => $"{path}{Infix}{Guid.NewGuid():N}";

    /// <summary>Whether a directory is a queue that is being deleted, or was when its deleter was killed.</summary>
    public static bool IsDeleted(string path)
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
            if (Path.GetFileName(directory).StartsWith(first, StringComparison.Ordinal) && IsDeleted(directory))
            {
                ExpressDirectory.Remove(directory);
            }
        }
    }

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
            using var opening = OpeningLock.Take(new QueueFiles(path, FileRights.OwnerAlone), patience);
            Participant.RefuseAlive(opening.File, path, "deleted", patience.Token);
            if (OperatingSystem.IsWindows())
            {
                // Windows moves no directory with an open file. The lock file's name may stay until it is closed, and the directory with
                // it.
                CurrentPlatform.Instance.Delete(Path.Combine(path, StoreFormat.MetaName));
                ExpressDirectory.Remove(path);
            }
            else
            {
                // In one step, under the lock: an opening finds the whole queue or nothing, wherever the deletion stops.
                Directory.Move(path, gone);
                // What a killed process leaves from here on is no queue that anybody would list, back up or open.
                File.Delete(Path.Combine(gone, StoreFormat.MetaName));
            }
        }
        catch (Exception exception) when (exception is DirectoryNotFoundException or FileNotFoundException)
        {
            return false;
        }
        if (OperatingSystem.IsWindows())
        {
            new QueueDirectory(path, Made: true).RemoveIfMadeAndEmpty();
        }
        else
        {
            ExpressDirectory.Remove(gone);
        }
        return true;
    });

    /// <summary>Throws if a queue's directory contains something that is not the queue's, or is a link.</summary>
    /// <exception cref="QueueException">It does.</exception>
    public static void RequireOursAlone(string path)
    {
        if (new DirectoryInfo(path).LinkTarget is { } target)
        {
            throw new QueueException($"{path} is a link to {target}. Nothing was deleted. Give the path of the queue's own directory.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
        foreach (string entry in Directory.EnumerateFileSystemEntries(path))
        {
            string name = Path.GetFileName(entry);
            bool isOurs = CurrentPlatform.Instance.IsDirectory(entry)
                ? name.StartsWith(StoreFormat.DeadLettersPrefix, StringComparison.Ordinal)
                    || name.StartsWith(StoreFormat.AsidePrefix, StringComparison.Ordinal)
                : StoreFormat.IsOurs(name);
            if (!isOurs)
            {
                throw new QueueException(
                    $"{path} contains {name}, which is not the queue's. Nothing was deleted. Move it away, or delete the directory "
                        + "yourself.")
                { Reason = QueueError.NotAQueue, Path = path };
            }
        }
    }
}
