using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// A sync that failed, as the control file tells every process. A system that could not write a page may count it as written afterwards, so
/// that a second attempt would succeed without anything on the disk: so no process makes one, and the queue is closed to appends.
/// </summary>
/// <remarks>
/// The closer first leaves the mark, which every later sync and the next opener see; then it takes the append lock like any appender, and
/// never releases it. So appends need not look for the mark. Where the closer dies in between, the mark stays, and the next sync closes the
/// queue.
/// </remarks>
internal sealed class SyncFailure(ControlFile control, Participant self, QueueFiles files, CallGate gate)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(100);

    private readonly AppendLockWait<MachineMemory> _wait = new(control, self, files);
    private readonly BackgroundRetry _closer = new();
    private readonly Lock _closing = new();

    /// <exception cref="QueueFailedException">A sync has failed, of this process or another.</exception>
    public void ThrowIfFailed()
    {
        // Where the lock file was lost no sync has failed: what is enqueued can be synced.
        if (MachineMemory.Load(ref control.Failed) != 0 && MachineMemory.Load(ref control.FailedFile) != ControlFormat.LockWasLost)
        {
            CloseLock();
            throw Unsynced(null);
        }
    }

    /// <summary>Closes the queue after a failed sync. Callers are inside the gate, without the append lock.</summary>
    /// <param name="cause">The system's error.</param>
    /// <param name="file">The number of the file's first byte, if it is a segment; otherwise -1.</param>
    /// <returns>The exception to throw.</returns>
    public QueueFailedException Close(IOException cause, long file)
    {
        MachineMemory.Store(ref control.FailedFile, file);
        MachineMemory.CompareExchange(ref control.Failed, ControlFormat.FailedWord(cause.HResult, Environment.ProcessId), 0);
        FailPoint.Reach(ProtocolStep.FailureMarked);
        CloseLock();
        return Unsynced(cause);
    }

    private void CloseLock()
    {
        // A stopped holder may finish its append first, whenever that is; meanwhile the mark is there.
        if (MachineMemory.Load(ref control.LockOwner) != ControlFormat.ClosedLock && !TryCloseLock(WaitLimit.AtMost(Patience)))
        {
            _closer.Start(TryCloseLockInside);
        }
    }

    /// <summary>
    /// Returns when the background thread that closes the append lock has left the gate. That is no call of the user's: if it were inside
    /// after the handle was disposed, the handle would still count as alive, and the next opening would not repair the queue. Callers have
    /// closed the gate.
    /// </summary>
    public void AwaitCloser()
    {
        lock (_closing)
        {
        }
    }

    // False when another participant has held the append lock all the time. What a dead holder left at the tail need not be repaired: the
    // next opener finds the tail anew.
    private bool TryCloseLock(in WaitLimit limit)
    {
        try
        {
            // The thread that finds the failure may be the holder, which shows that it is at work.
            if (!_wait.TryAcquireLock(in limit, out _))
            {
                return false;
            }
            FailPoint.Reach(ProtocolStep.FailureLockAcquired);
            // SYNC POINT append lock: publishes the mark of the failure to every later appender.
            MachineMemory.Store(ref control.LockOwner, ControlFormat.ClosedLock);
            FailPoint.Reach(ProtocolStep.FailureClosed);
            return true;
        }
        catch (QueueFailedException)
        {
            // Another process was faster.
            return true;
        }
    }

    private bool TryCloseLockInside()
    {
        lock (_closing)
        {
            try
            {
                using CallGate.Call call = gate.Enter();
                // At once or not at all: a call that disposes the handle meanwhile waits for this thread.
                return TryCloseLock(WaitLimit.None);
            }
            catch (ObjectDisposedException)
            {
                // Another handle closes the lock, the next time that it syncs.
                return true;
            }
            catch (IOException)
            {
                return false;
            }
        }
    }

    private QueueFailedException Unsynced(IOException? cause) => new(
        $"{Describe(control, files)}. What was to be made durable is enqueued and visible, but a power loss may take it. {WhatToDo}", cause)
    {
        Path = files.Directory,
        ProcessId = ControlFormat.FailedProcess(MachineMemory.Load(ref control.Failed)),
        Outcome = FailureOutcome.Committed,
        Refused = $"{Describe(control, files)}. {WhatToDo}",
    };

    /// <summary>The exception for an append to a closed queue.</summary>
    public static QueueFailedException Refusal(ControlFile control, QueueFiles files) =>
        MachineMemory.Load(ref control.FailedFile) == ControlFormat.LockWasLost ? LostLock(control, files) : new(
            $"{Describe(control, files)}, and the queue takes no more messages. Nothing was enqueued. {WhatToDo}")
        {
            Path = files.Directory,
            ProcessId = ControlFormat.FailedProcess(MachineMemory.Load(ref control.Failed)),
            Outcome = FailureOutcome.NothingDone,
            Refused = $"{Describe(control, files)}. {WhatToDo}",
        };

    private static QueueFailedException LostLock(ControlFile control, QueueFiles files)
    {
        int opener = ControlFormat.FailedProcess(MachineMemory.Load(ref control.Failed));
        string found = $"{files.Directory}: the lock file was deleted or replaced while this handle was open, and process {opener} has "
            + "opened the queue since. Neither sees the other, so only handles that are opened from now on take messages";
        const string remedy = "Dispose this handle and open the queue anew. What it had enqueued is there.";
        return new($"{found}. Nothing was enqueued. {remedy}")
        {
            Path = files.Directory,
            ProcessId = opener,
            Outcome = FailureOutcome.NothingDone,
            Refused = $"{found}. {remedy}",
        };
    }

    private const string WhatToDo = "Consumers may go on. Look after the disk, then end or dispose every use of the queue, in all "
        + "processes: the next opening reads back, checks and writes again what is not known to be on the disk.";

    private static string Describe(ControlFile control, QueueFiles files)
    {
        long failed = MachineMemory.Load(ref control.Failed), file = MachineMemory.Load(ref control.FailedFile);
        int error = ControlFormat.FailedError(failed);
        string path = file < 0 ? files.Directory : files.PathOf(StoreFormat.SegmentName(file));
        return $"{path}: the disk refused to take what was written (error {error}, {new Win32Exception(error).Message}, "
            + $"in process {ControlFormat.FailedProcess(failed)})";
    }
}
