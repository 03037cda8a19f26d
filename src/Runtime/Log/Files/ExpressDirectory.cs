using System.Diagnostics;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Where queues by name stand: a directory of the user's own in shared memory, or, where the system has none by path, in the temporary
/// directory.
/// </summary>
internal static class ExpressDirectory
{
    private const string SharedMemory = "/dev/shm", Anonymous = ".anonymous", AnonymousLock = "lock", Deleted = "deleted-";
    private const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>The directory of the queue with this name.</summary>
    /// <exception cref="ArgumentException">No name for a queue.</exception>
    /// <exception cref="QueueException">The place for queues is not this user's own.</exception>
    public static string PathOf(string name)
    {
        QueueName.CheckSubscription(name, "an express queue's");
        return name.StartsWith('.')
            ? throw new ArgumentException($"'{name}' cannot be an express queue's name: it begins with a dot.", nameof(name))
            : Path.Combine(Root(), name);
    }

    /// <summary>Deletes a queue that nobody has open.</summary>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueException">It is open.</exception>
    public static bool Delete(string name, TimeSpan patience)
    {
        string path = PathOf(name), below = Own(Path.Combine(Root(), Anonymous)),
            gone = Path.Combine(below, $"{Deleted}{Guid.NewGuid():N}");
        try
        {
            using SafeFileHandle file = OpeningLock.Take(new QueueFiles(path, OwnerAlone & ~UnixFileMode.UserExecute), patience).File;
            Participant.RefuseAlive(file, path, "deleted");
            if (OperatingSystem.IsWindows())
            {
                // Which moves no directory with an open file.
                File.Delete(Path.Combine(path, StoreFormat.MetaName));
                Remove(path);
            }
            else
            {
                // By one step, under the lock: an opening finds all of it or nothing, wherever the deletion comes to an end.
                Directory.Move(path, gone);
            }
        }
        catch (Exception exception) when (exception is DirectoryNotFoundException or FileNotFoundException)
        {
            return false;
        }
        // And what others left that were killed here.
        foreach (string directory in Directory.EnumerateDirectories(below, Deleted + "*"))
        {
            Remove(directory);
        }
        return true;
    }

    /// <summary>Runs the opening of a queue without a name, in a directory that is given; first removes those of dead processes.</summary>
    /// <exception cref="QueueException">Another process has been making one for longer than the patience.</exception>
    public static TQueue MakeAnonymous<TQueue>(TimeSpan patience, Func<string, TQueue> open)
    {
        string parent = Own(Path.Combine(Root(), Anonymous));
        using SafeFileHandle file = File.OpenHandle(
            Path.Combine(parent, AnonymousLock), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        OpeningWait.Take(file, Stopwatch.GetTimestamp(), patience, $"{parent}: another process has been making a queue", AnonymousLock);
        new OpeningProgress(file).Begin();
        try
        {
            // Whose directory has no live participant is dead: nobody else is just making one.
            foreach (string directory in Directory.EnumerateDirectories(parent))
            {
                RemoveIfDead(directory);
            }
            return open(Path.Combine(parent, $"{Environment.ProcessId}-{Guid.NewGuid():N}"));
        }
        finally
        {
            new OpeningProgress(file).End();
            CurrentPlatform.Instance.UnlockByte(file, StoreFormat.OpeningLockByte);
        }
    }

    /// <summary>Removes a queue's directory with all that is in it.</summary>
    public static void Remove(string path)
    {
        try
        {
            Directory.Delete(path, recursive: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Another process removes it too, or has a file of it open (Windows): then what is left is removed later.
        }
    }

    private static void RemoveIfDead(string directory)
    {
        string path = Path.Combine(directory, StoreFormat.LockName);
        try
        {
            if (CurrentPlatform.Instance.IsThere(path))
            {
                using SafeFileHandle locks = File.OpenHandle(
                    path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
                if (Participant.AnyAlive(locks))
                {
                    return;
                }
            }
        }
        catch (Exception exception) when (SystemFailure.Is(exception))
        {
            // Its owner is just removing it, or the system does not say whether it has one.
            return;
        }
        Remove(directory);
    }

    private static string Root() => Own(Path.Combine(
        OperatingSystem.IsLinux() && CurrentPlatform.Instance.IsDirectory(SharedMemory) ? SharedMemory : Path.GetTempPath(),
        $"blitqueue-{CurrentPlatform.Instance.UserId}"));

    // Every user may write to the directory around it: another one may have made this directory, or a link of that name.
    private static string Own(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
        }
        else
        {
            Directory.CreateDirectory(path, OwnerAlone);
        }
        return CurrentPlatform.Instance.IsPrivateDirectory(path)
            ? path
            : throw new QueueException(
                $"{path} is not a directory of this user's own to which nobody else has rights: it is a link, or another user's, or open "
                + "to others. Queues by name are kept there: delete it, or take the rights of others away (chmod 700), or open a queue by "
                + "path.");
    }
}
