using System.Diagnostics;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>The byte lock of the one who makes or deletes segments. Its holder's death gives it back.</summary>
internal sealed class KeepingLock(QueueFiles files, SafeFileHandle locks)
{
    // Using a segment again takes a few microseconds, making one milliseconds.
    private const int QuickLooks = 30;

    /// <exception cref="QueueStalledException">Another process has had it for longer than the patience.</exception>
    public void Take(TimeSpan patience)
    {
        long started = Stopwatch.GetTimestamp();
        for (var spin = default(SpinWait); !Recommended.Platform.TryLockByte(locks, StoreFormat.KeepingLock); )
        {
            if (Stopwatch.GetElapsedTime(started) > patience)
            {
                throw new QueueStalledException(
                    $"{files.Directory}: another process has been making or deleting a segment for {patience.TotalMilliseconds:0} ms and does not "
                    + "get on. It is stopped, or its disk is slow; let it run, or end it. Nothing was enqueued.");
            }
            if (spin.Count < QuickLooks)
            {
                spin.SpinOnce(sleep1Threshold: -1);
            }
            else
            {
                Thread.Sleep(1);
            }
        }
    }

    /// <summary>Takes it unless another has it. On a thread of the pool nobody is there to be told that the system has no locks left.</summary>
    public bool TryTake()
    {
        try
        {
            return Recommended.Platform.TryLockByte(locks, StoreFormat.KeepingLock);
        }
        catch (Exception exception) when (exception is QueueException or IOException)
        {
            return false;
        }
    }

    public void GiveBack() => Recommended.Platform.UnlockByte(locks, StoreFormat.KeepingLock);

    /// <summary>Called by the holder: the lock is of a file that may have lost its name, and then the names in the directory are another queue's, or nobody's.</summary>
    /// <exception cref="QueueException">That is so.</exception>
    public void RequireDirectory()
    {
        if (!OpeningLock.HasName(locks, files))
        {
            throw new QueueException(
                $"{files.Directory}: the directory was deleted, moved away or replaced since this handle was opened: its {StoreFormat.LockName} is "
                + "another file, or none. Nothing was enqueued. Put the directory back, or dispose the handle and open the queue anew.");
        }
    }
}
