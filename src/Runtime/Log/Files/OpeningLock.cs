using System.Diagnostics;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The lock file, and the right to make or join the queue, which one process at a time has. The file holds a random mark: a process that
/// waited for the lock compares it with the file of that name, because a failed maker deletes the file and another may have made a new one.
/// </summary>
internal sealed class OpeningLock
{
    private const int MarkSize = 16;

    private OpeningLock(SafeFileHandle file) => File = file;

    /// <summary>The open lock file; stays open when the right to open is given back.</summary>
    public SafeFileHandle File { get; }

    /// <exception cref="QueueException">Another process has been opening the queue, and has not got on for the whole patience.</exception>
    /// <exception cref="QueueStalledException">Nor does it run.</exception>
    public static OpeningLock Take(QueueFiles files, TimeSpan patience, string name = StoreFormat.LockName)
    {
        long started = Stopwatch.GetTimestamp();
        for (; ; )
        {
            SafeFileHandle file = files.OpenOrCreate(name);
            bool isNamed = false;
            try
            {
                OpeningWait.Take(file, started, patience, $"{files.Directory}: another process has been opening the queue", name);
                isNamed = IsNamed(file, files, name);
                new OpeningProgress(file).Begin();
                if (isNamed)
                {
                    return new OpeningLock(file);
                }
            }
            catch (IOException exception) when (DiskFullException.Is(exception))
            {
                // Without a mark the file is of no use, and the directory of no queue.
                if (!files.Exists(StoreFormat.MetaName))
                {
                    files.Delete(name);
                }
                throw new QueueFullException(
                    $"{files.Directory}: the disk has no room for even the smallest file of a queue. Free disk space.", exception);
            }
            finally
            {
                if (!isNamed)
                {
                    file.Dispose();
                }
            }
        }
    }

    /// <summary>Lets the next process open the queue.</summary>
    /// <exception cref="QueueException">The system refuses. Nobody else could open the queue while the file is open.</exception>
    public void GiveBack(string path)
    {
        new OpeningProgress(File).End();
        if (!CurrentPlatform.Instance.UnlockByte(File, StoreFormat.OpeningLockByte))
        {
            throw new QueueException(
                $"{path}: the system refuses to give back the lock that keeps others from opening the queue. Try again.");
        }
    }

    /// <summary>Whether an open lock file is still the one that the directory has.</summary>
    public static bool HasName(SafeFileHandle file, QueueFiles files, string name = StoreFormat.LockName)
    {
        // A copy of the directory that was put in its place has the same mark.
        if (CurrentPlatform.Instance.LeadsTo(files.PathOf(name), file) is { } leads)
        {
            return leads;
        }
        Span<byte> mine = stackalloc byte[MarkSize], theirs = stackalloc byte[MarkSize];
        return files.TryRead(name, 0, theirs) && RandomAccess.Read(file, mine, 0) == MarkSize && mine.SequenceEqual(theirs);
    }

    /// <summary>The same of a file that may be new: then it gets its mark. Called with the lock held.</summary>
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
