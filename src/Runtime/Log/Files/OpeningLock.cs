using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The opening lock, the right to make or join the queue, which one handle at a time has. It has two halves: a byte of the lock file, for
/// which openers wait in order, and the lock of the directory, which excludes two openers from each other even if somebody deleted or
/// replaced the lock file between them. Windows has no such lock, but no process can delete or replace the lock file meanwhile.
/// </summary>
/// <remarks>
/// The lock file contains a random mark. An opener that waited compares it with the mark in the file that now has the name: a failed maker
/// deletes the file, and another may have made a new one.
/// </remarks>
internal sealed class OpeningLock : IDisposable
{
    private const int MarkSize = 16;

    private readonly SafeFileHandle? _directory, _name;

    private OpeningLock(SafeFileHandle file, SafeFileHandle? directory, SafeFileHandle? name) =>
        (File, _directory, _name) = (file, directory, name);

    /// <summary>The open lock file; <see cref="GiveBack"/> leaves it open.</summary>
    public SafeFileHandle File { get; }

    /// <exception cref="QueueException">Another process is opening the queue, and has made no progress for the whole patience.</exception>
    /// <exception cref="QueueStalledException">The same, and that process does not run.</exception>
    /// <exception cref="OperationCanceledException">The patience's token was cancelled.</exception>
    public static OpeningLock Take(QueueFiles files, Patience patience, string name = StoreFormat.LockName)
    {
        for (; ; )
        {
            // Anew for each lock file: the process that had the lock of one that is not there any more has got on.
            long started = Stopwatch.GetTimestamp();
            SafeFileHandle file = OpeningWait.Take(
                () => files.OpenOrCreate(name), name, started, patience, files.Directory, "another process has been opening the queue");
            SafeFileHandle? preserved = null;
            OpeningLock? taken = null;
            try
            {
                // Before the name is looked at: from then on it stays.
                preserved = CurrentPlatform.Instance.PreserveName(files.PathOf(name));
                bool isNamed = IsNamed(file, files, name);
                new OpeningProgress(file).Begin();
                if (isNamed && TryTakeDirectory(file, files, patience, name, out SafeFileHandle? directory))
                {
                    return taken = new OpeningLock(file, directory, preserved);
                }
            }
            catch (IOException exception) when (DiskFullException.Is(exception))
            {
                // A lock file without a mark is of no use; where no queue was made, it is deleted.
                preserved?.Dispose();
                if (!files.Exists(StoreFormat.MetaName))
                {
                    files.Delete(name);
                }
                throw new QueueFullException(
                    $"{files.Directory}: the disk has no room for even the smallest file of a queue. Free disk space.", exception)
                { Path = files.Directory };
            }
            finally
            {
                if (taken is null)
                {
                    preserved?.Dispose();
                    file.Dispose();
                }
            }
        }
    }

    // It has to be waited for only if the lock file was deleted or replaced while another process held the opening lock. The kernel does
    // not tell which process that is.
    private static bool TryTakeDirectory(
        SafeFileHandle file, QueueFiles files, in Patience patience, string name, out SafeFileHandle? directory)
    {
        for (long started = Stopwatch.GetTimestamp();
            !CurrentPlatform.Instance.TryLockDirectory(files.Directory, out directory);
            Thread.Sleep(1))
        {
            patience.ThrowIfCancelled(files.Directory, "another process has been opening the queue");
            if (patience.IsOver(started))
            {
                throw new QueueException(
                    $"{files.Directory}: another process has been making or opening the queue for more than "
                    + $"{patience.Limit.TotalMilliseconds:0} ms, and {name} was deleted or replaced meanwhile. Nothing was changed. That "
                    + "process is stopped, or recovers a long log: let it run, or end it, or try again with a longer StallTimeout.")
                { Reason = QueueError.Stalled, Path = files.Directory };
            }
        }
        bool isNamed = false;
        try
        {
            // That process may have removed the lock file of a queue that it could not make.
            return isNamed = HasName(file, files, name);
        }
        finally
        {
            if (!isNamed)
            {
                directory?.Dispose();
            }
        }
    }

    /// <summary>Lets the next process open the queue.</summary>
    /// <exception cref="QueueException">The system refuses to release the lock: no other process can open the queue while the file is
    /// open.</exception>
    public void GiveBack(string path)
    {
        new OpeningProgress(File).End();
        _directory?.Dispose();
        LetFileGo();
        if (!CurrentPlatform.Instance.UnlockByte(File, StoreFormat.OpeningLockByte))
        {
            throw new QueueException(
                $"{path}: the system refuses to give back the lock that keeps others from opening the queue. Try again.")
            { Reason = QueueError.SystemRefused, Path = path };
        }
    }

    /// <summary>Deletes the lock file. Called when there is nothing left to open.</summary>
    public void DeleteFile(QueueFiles files)
    {
        LetFileGo();
        files.Delete(StoreFormat.LockName);
    }

    /// <summary>Lets somebody delete the lock file from now on.</summary>
    public void LetFileGo() => _name?.Dispose();

    /// <summary>Closes the lock file, which releases the lock.</summary>
    public void Dispose()
    {
        _directory?.Dispose();
        LetFileGo();
        File.Dispose();
    }

    /// <summary>Whether an open lock file is still the one in the directory.</summary>
    public static bool HasName(SafeFileHandle file, QueueFiles files, string name = StoreFormat.LockName)
    {
        // A copy that was put where the directory was has the same mark.
        if (CurrentPlatform.Instance.LeadsTo(files.PathOf(name), file) is { } leads)
        {
            return leads;
        }
        Span<byte> mine = stackalloc byte[MarkSize], theirs = stackalloc byte[MarkSize];
        return files.TryRead(name, 0, theirs) && RandomAccess.Read(file, mine, 0) == MarkSize && mine.SequenceEqual(theirs);
    }

    /// <summary>The same for a file that may be new, which then gets its mark. Callers hold the lock.</summary>
    public static bool IsNamed(SafeFileHandle file, QueueFiles files, string name)
    {
        Span<byte> mark = stackalloc byte[MarkSize];
        if (RandomAccess.Read(file, mark, 0) < MarkSize)
        {
            Guid.NewGuid().TryWriteBytes(mark);
            QueueFiles.Write(file, mark, 0);
        }
        return HasName(file, files, name);
    }
}
