using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The directory of the queues that are opened by name. It is the user's own, in shared memory, or in the temporary directory where the
/// system gives shared memory no path.
/// </summary>
internal static class ExpressDirectory
{
    private const string SharedMemory = "/dev/shm", Anonymous = ".anonymous", AnonymousLock = "lock", Deleted = "deleted-";
    private const string Shared = ".shared";
    private const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>The directory of the queue with this name.</summary>
    /// <exception cref="ArgumentException">The name cannot be a queue's.</exception>
    /// <exception cref="QueueException">The directory for queues is not this user's own.</exception>
    public static string PathOf(string name)
    {
        QueueName.CheckSubscription(name, "an express queue's");
        return name.StartsWith('.')
            ? throw new ArgumentException($"'{name}' cannot be an express queue's name: it begins with a dot.", nameof(name))
            : Path.Combine(Root(), name);
    }

    /// <summary>The directory beside the queues for files that are no queues, and are opened by name too.</summary>
    /// <exception cref="QueueException">It is not this user's own.</exception>
    public static string ForShared() => Own(Path.Combine(Root(), Shared));

    /// <summary>Deletes a queue that no process has open.</summary>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueException">It is open.</exception>
    public static bool Delete(string name, Patience patience)
    {
        patience.Token.ThrowIfCancellationRequested();
        string path = PathOf(name), below = Own(Path.Combine(Root(), Anonymous)),
            gone = Path.Combine(below, $"{Deleted}{Guid.NewGuid():N}");
        bool isDeleted = QueueDeletion.TryDelete(path, gone, patience);
        // And what other processes left that were killed at this line.
        foreach (string directory in Directory.EnumerateDirectories(below, Deleted + "*"))
        {
            Remove(directory);
        }
        return isDeleted;
    }

    /// <summary>
    /// Gives a new directory to the function that opens a queue without a name. Before that it removes the directories that dead processes
    /// left.
    /// </summary>
    /// <exception cref="QueueException">Another process has been making such a queue for longer than the patience.</exception>
    public static TQueue MakeAnonymous<TQueue>(Patience patience, Func<string, TQueue> open)
    {
        patience.Token.ThrowIfCancellationRequested();
        string parent = Own(Path.Combine(Root(), Anonymous));
        using SafeFileHandle file = OpeningWait.Take(
            () => File.OpenHandle(
                Path.Combine(parent, AnonymousLock), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete),
            AnonymousLock, Stopwatch.GetTimestamp(), patience, parent, "another process has been making a queue");
        new OpeningProgress(file).Begin();
        try
        {
            // A directory without a live participant is a dead process's: no other process is making one, as this one has the lock.
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
            // Another process removes it too, or has a file of it open (Windows): a later call removes what is left.
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
            // Its owner is removing it, or the system does not say whether it has an owner.
            return;
        }
        Remove(directory);
    }

    /// <summary>Whether a directory is below the one of the queues that are opened by name.</summary>
    public static bool Contains(string directory) => directory.StartsWith(RootPath + Path.DirectorySeparatorChar, StringComparison.Ordinal);

    private static string Root() => Own(RootPath);

    private static string RootPath => Path.Combine(
        OperatingSystem.IsLinux() && CurrentPlatform.Instance.IsDirectory(SharedMemory) ? SharedMemory : Path.GetTempPath(),
        $"blitqueue-{CurrentPlatform.Instance.UserId}");

    // Every user may write to the parent directory: another user may have made this directory, or a link with that name.
    private static string Own(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            CurrentPlatform.Instance.MakePrivateDirectory(path);
        }
        else
        {
            Directory.CreateDirectory(path, OwnerAlone);
        }
        return CurrentPlatform.Instance.IsPrivateDirectory(path)
            ? path
            : throw new QueueException(
                $"{path} is not a directory of this user's own to which no other user has rights: it is a link, or another user's, or open "
                + "to others. Queues by name are kept there: delete it, or take the rights of others away (chmod 700), or open a queue by "
                + "path.")
            { Reason = QueueError.AccessDenied, Path = path };
    }
}
