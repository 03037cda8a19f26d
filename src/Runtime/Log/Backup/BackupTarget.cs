using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Where a backup goes: a directory of an unfinished name beside its target, which gets the target's name when all of it is
/// there and on the disk. What a killed backup left there is told from one that is at work by the lock that the kernel
/// holds for it, and goes with the next.
/// </summary>
internal sealed class BackupTarget : IDisposable
{
    private const string Suffix = ".unfinished", LockName = "backup.lock";

    private readonly SafeFileHandle _lock;
    private bool _isFinished;

    private BackupTarget(string path, string unfinished, SafeFileHandle held) => (Path, Unfinished, _lock) = (path, unfinished, held);

    /// <summary>The target, absolute.</summary>
    public string Path { get; }

    /// <summary>Where it is made.</summary>
    public string Unfinished { get; }

    /// <exception cref="QueueException">Something stands there, or another backup is at work.</exception>
    public static BackupTarget Begin(DirectoryKind source, string target)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(target);
        string full = System.IO.Path.TrimEndingDirectorySeparator(System.IO.Path.GetFullPath(target)), unfinished = full + Suffix;
        RequireFree(full);
        RequireApart(source, full, unfinished);
        StoreMedium.RefuseNetwork(full);
        var files = new QueueFiles(unfinished, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        RequireLeftByBackup(files, isNew: !CurrentPlatform.Instance.IsThere(unfinished));
        QueueDirectory.MakeAll(unfinished, files.Mode);
        RequireLeftByBackup(files, isNew: true);
        SafeFileHandle held = files.OpenOrCreate(LockName);
        // With a lock of the file that a backup has just deleted the directory would not be this one's, but the next one's.
        if (!CurrentPlatform.Instance.TryLockByte(held, 0) || !OpeningLock.IsNamed(held, files, LockName))
        {
            held.Dispose();
            throw new QueueException(
                $"{unfinished}: another backup to this target is at work. Let it end, or end it, or choose another target.")
            { Reason = QueueError.InUse, Path = unfinished };
        }
        var begun = new BackupTarget(full, unfinished, held);
        begun.Clear(LockName);
        return begun;
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

    // By whatever links: a copy in what is copied would be in the next one, and what is cleared to make room must not be what is copied.
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

    // What is in it goes: so nothing of anybody else's, and never by way of a link.
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

    /// <summary>Gives all of it the target's name.</summary>
    /// <exception cref="QueueException">Another has that name by now.</exception>
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
            // Not before: without it nobody would take the unfinished directory for a backup's.
            File.Delete(System.IO.Path.Combine(Path, LockName));
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
            // A link goes as such, and with a directory the links that are in it.
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

    /// <summary>Unless it was finished, all of it goes; the lock last.</summary>
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
            // It has the unfinished name, and goes with the next backup to this target.
        }
        finally
        {
            _lock.Dispose();
        }
    }
}
