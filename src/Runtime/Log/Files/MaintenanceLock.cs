using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The byte lock of the process that makes or deletes a subscription. The system releases it when its holder dies. A process that enqueues,
/// consumes, seeks, or makes or deletes a segment never waits for it.
/// </summary>
internal sealed class MaintenanceLock(QueueFiles files, SafeFileHandle locks, ControlFile control, Participant self)
{
    // The system's lock does not exclude two threads of one handle from each other.
    private readonly Lock _sync = new();

    /// <exception cref="QueueException">Another process has held the lock for longer than the patience.</exception>
    /// <exception cref="OperationCanceledException">The patience's token was cancelled.</exception>
    public void While(in Patience patience, Action work)
    {
        _sync.Enter(patience.Token);
        try
        {
            for (long started = Stopwatch.GetTimestamp(); !TryRun(work); Thread.Sleep(1))
            {
                patience.ThrowIfCancelled(files.Directory, "another process has been making or deleting a subscription");
                if (patience.IsOver(started))
                {
                    long owner = MachineMemory.Load(ref control.MaintenanceOwner);
                    throw new QueueException(
                        $"{files.Directory}: {self.Describe(owner)} has been making or deleting "
                        + $"a subscription for {patience.Limit.TotalMilliseconds:0} ms and does not get on: it holds byte "
                        + $"{StoreFormat.MaintenanceLockByte} of {StoreFormat.LockName}. It is stopped, or its disk is slow; let it run, "
                        + "or end it. No subscription was made or deleted; messages can be enqueued and consumed meanwhile.")
                    { Reason = QueueError.Stalled, Path = files.Directory, ProcessId = self.ProcessOf(owner) };
                }
            }
        }
        finally
        {
            _sync.Exit();
        }
    }

    /// <returns>false, with nothing done, when somebody else holds the lock.</returns>
    public bool TryWhile(Action work)
    {
        if (!_sync.TryEnter())
        {
            return false;
        }
        try
        {
            return TryRun(work);
        }
        finally
        {
            _sync.Exit();
        }
    }

    private bool TryRun(Action work)
    {
        if (!TryLock(locks, StoreFormat.MaintenanceLockByte))
        {
            return false;
        }
        try
        {
            MachineMemory.Store(ref control.MaintenanceOwner, self.OwnerWord);
            work();
            return true;
        }
        finally
        {
            CurrentPlatform.Instance.UnlockByte(locks, StoreFormat.MaintenanceLockByte);
        }
    }

    /// <summary>Takes a byte lock, unless another handle holds it or the system has no locks left.</summary>
    public static bool TryLock(SafeFileHandle locks, long offset)
    {
        try
        {
            return CurrentPlatform.Instance.TryLockByte(locks, offset);
        }
        catch (Exception exception) when (exception is QueueException or IOException)
        {
            return false;
        }
    }

    /// <summary>Runs what makes, moves or deletes something of the queue, where the directory is still the queue's.</summary>
    /// <exception cref="QueueException">It is not, or the system refuses.</exception>
    public void InDirectory(Action work) => SystemFailure.Told(files.Directory, () =>
    {
        RequireDirectory();
        work();
        return true;
    });

    /// <summary>The lock file may have lost its name, and then the names in the directory are another queue's, or no queue's.</summary>
    /// <exception cref="QueueException">That is so.</exception>
    public void RequireDirectory()
    {
        if (!OpeningLock.HasName(locks, files))
        {
            throw DirectoryLost();
        }
    }

    /// <summary>The exception for calls that need the queue's directory while the path leads to none, or to another.</summary>
    public QueueException DirectoryLost() => new(
        $"{files.Directory}: the directory was deleted, moved away or replaced since this handle was opened: its "
        + $"{StoreFormat.LockName} is another file, or none. This call did nothing. Put the directory back, or dispose the handle "
        + "and open the queue anew.")
    { Reason = QueueError.DirectoryReplaced, Path = files.Directory };
}
