using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The directory of a backup. It has an unfinished name beside its target, and gets the target's name when the whole backup is on the disk.
/// A kernel lock distinguishes a backup at work from the files that a killed backup left, which the next backup deletes.
/// </summary>
/// <remarks>
/// The lock file says, too, that the directory is a backup's. Where no directory is renamed in which a file is open, that file is not
/// locked, but another one beside the directory.
/// </remarks>
internal sealed class BackupTarget : IDisposable
{
    private const string Suffix = ".unfinished", LockName = "backup.lock", LockSuffix = ".lock";

    private readonly SafeFileHandle _lock;
    private bool _isFinished;

    private BackupTarget(string path, string unfinished, SafeFileHandle held) => (Path, Unfinished, _lock) = (path, unfinished, held);

    /// <summary>The target, absolute.</summary>
    public string Path { get; }

    /// <summary>The directory with the unfinished name, absolute.</summary>
    public string Unfinished { get; }

    /// <exception cref="QueueException">The target exists, or another backup to it is at work.</exception>
    public static BackupTarget Begin(DirectoryKind source, string target)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(target);
        string full = System.IO.Path.TrimEndingDirectorySeparator(System.IO.Path.GetFullPath(target)), unfinished = full + Suffix;
        RequireFree(full);
        RequireApart(source, full, unfinished);
        StoreMedium.RefuseNetwork(full);
        var files = new QueueFiles(unfinished, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        // Where the locked file is beside the directory, only the lock's holder makes the directory: one that is made while another backup
        // ends would be left empty, and refused as not a backup's.
        if (!IsLockBeside)
        {
            MakeDirectory(files);
        }
        string locked = LockOf(unfinished);
        SafeFileHandle held = files.OpenOrCreate(locked);
        // If another backup has just deleted the locked file, the lock does not protect the directory.
        if (!CurrentPlatform.Instance.TryLockByte(held, 0) || !OpeningLock.IsNamed(held, files, locked))
        {
            held.Dispose();
            throw new QueueException(
                $"{unfinished}: another backup to this target is at work. Let it end, or end it, or choose another target.")
            { Reason = QueueError.InUse, Path = unfinished };
        }
        var begun = new BackupTarget(full, unfinished, held);
        try
        {
            if (IsLockBeside)
            {
                MakeDirectory(files);
            }
            files.OpenOrCreate(LockName).Dispose();
            begun.Clear(LockName);
            return begun;
        }
        catch
        {
            // Another backup has renamed or deleted the directory since this one looked.
            begun.ReleaseLock();
            throw;
        }
    }

    private static void MakeDirectory(QueueFiles files)
    {
        RequireLeftByBackup(files, isNew: !CurrentPlatform.Instance.IsThere(files.Directory));
        QueueDirectory.MakeAll(files.Directory, files.Mode);
        RequireLeftByBackup(files, isNew: true);
    }

    private static bool IsLockBeside => !CurrentPlatform.Instance.RenamesDirectoriesInUse;

    private static string LockOf(string unfinished) =>
        IsLockBeside ? unfinished + LockSuffix : System.IO.Path.Combine(unfinished, LockName);

    // The lock file within the directory has gone with it, or stays in what is not finished.
    private void ReleaseLock()
    {
        if (IsLockBeside)
        {
            CurrentPlatform.Instance.Delete(LockOf(Unfinished));
        }
        _lock.Dispose();
    }

    private static void RequireFree(string full)
    {
        if (CurrentPlatform.Instance.IsThere(full))
        {
            throw new QueueException(
                $"{full} is there already. A backup overwrites nothing: choose another target, or move that one away.")
            { Reason = QueueError.BadTarget, Path = full };
        }
        if (System.IO.Path.GetDirectoryName(full) is not { } parent || !CurrentPlatform.Instance.IsDirectory(parent))
        {
            throw new QueueException($"{System.IO.Path.GetDirectoryName(full)} is no directory. Make it, or choose another target.")
            { Reason = QueueError.BadTarget, Path = System.IO.Path.GetDirectoryName(full) };
        }
    }

    // The source and the target must not contain each other, also through links: a copy inside the source would be in the next copy, and
    // what is cleared for the new copy must not be the source.
    private static void RequireApart(DirectoryKind source, string full, string unfinished)
    {
        string parent = System.IO.Path.GetDirectoryName(full)!;
        foreach (string directory in source.Queues.Prepend(source.Path))
        {
            if (CurrentPlatform.Instance.IsWithin(parent, directory))
            {
                throw new QueueException(
                    $"{full} is in the directory that is to be copied ({directory}). Choose a target beside it, or on another disk.")
                { Reason = QueueError.BadTarget, Path = full };
            }
            if (CurrentPlatform.Instance.IsWithin(directory, unfinished))
            {
                throw new QueueException(
                    $"{directory} is to be copied, and {unfinished} is cleared before a copy is made there: it is what a killed backup "
                    + "left, or is yours. Choose another target, or give the source another name.")
                { Reason = QueueError.BadTarget, Path = directory };
            }
        }
    }

    // The directory's contents are deleted: so it must be a backup's, and no link.
    private static void RequireLeftByBackup(QueueFiles files, bool isNew)
    {
        if (new DirectoryInfo(files.Directory).LinkTarget is { } leads)
        {
            throw new QueueException(
                $"{files.Directory} is a link to {leads}, and no backup has left it. Move it away, or choose another target.")
            { Reason = QueueError.BadTarget, Path = files.Directory };
        }
        if (!isNew && !files.Exists(LockName))
        {
            throw new QueueException(
                $"{files.Directory} is there, and no backup has left it: there is no {LockName} in it. Move it away, or choose another "
                    + "target.")
            { Reason = QueueError.BadTarget, Path = files.Directory };
        }
    }

    /// <summary>Renames the directory to the target.</summary>
    /// <exception cref="QueueException">There is another file or directory of that name by now.</exception>
    public void Finish()
    {
        CurrentPlatform.Instance.SyncDirectory(Unfinished);
        if (!CurrentPlatform.Instance.TryName(Unfinished, Path))
        {
            throw new QueueException(
                $"{Path} was made meanwhile. A backup overwrites nothing: choose another target, or move that one away.")
            { Reason = QueueError.BadTarget, Path = Path };
        }
        try
        {
            CurrentPlatform.Instance.SyncDirectory(System.IO.Path.GetDirectoryName(Path)!);
            // Deleted last: without the lock file, the unfinished directory would not be recognized as a backup's.
            CurrentPlatform.Instance.Delete(System.IO.Path.Combine(Path, LockName));
            CurrentPlatform.Instance.SyncDirectory(Path);
            _isFinished = true;
        }
        finally
        {
            if (!_isFinished)
            {
                CurrentPlatform.Instance.TryName(Path, Unfinished);
            }
        }
    }

    private void Clear(string? except)
    {
        foreach (FileSystemInfo entry in new DirectoryInfo(Unfinished).EnumerateFileSystemInfos().Where(entry => entry.Name != except))
        {
            // Deletes a link itself, not its target, also inside directories.
            if (entry is DirectoryInfo { LinkTarget: null } directory)
            {
                directory.Delete(recursive: true);
            }
            else
            {
                entry.Delete();
            }
        }
    }

    /// <summary>Unless the backup was finished, deletes everything, the lock file last.</summary>
    public void Dispose()
    {
        try
        {
            if (!_isFinished)
            {
                Clear(LockName);
                Directory.Delete(Unfinished, recursive: true);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has the unfinished name: the next backup to this target deletes it.
        }
        finally
        {
            ReleaseLock();
        }
    }
}
