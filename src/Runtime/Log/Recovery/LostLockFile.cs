using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Handles a lock file that was deleted or replaced while processes had the queue open. The next opener makes or finds another lock file,
/// which does not show these processes as alive, and would append at the same position as they do.
/// </summary>
/// <remarks>
/// They still share the control file's words. The opener takes the append lock in these words, like any appender, and closes it for good,
/// so that the appends of processes with the old words are refused; then it goes on with a copy of the words.
/// </remarks>
internal static class LostLockFile
{
    /// <summary>Called with the opening lock of the present lock file held, before any words are used.</summary>
    /// <param name="files">The queue's.</param>
    /// <param name="patience">How long an append of a process with the old lock file may take, and what ends the wait.</param>
    /// <param name="locks">The caller's open lock file: its path may lead to yet another one by now.</param>
    /// <exception cref="QueueStalledException">A process that is appending makes no progress.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; the next opener goes on.</exception>
    public static void Fence(QueueFiles files, in Patience patience, SafeFileHandle locks)
    {
        // The words name their lock file. Processes that are alive in the present lock file may use other words.
        using MappedRegion? region = TryMap(files);
        if (region is null)
        {
            return;
        }
        var words = new ControlFile(region);
        if (!words.IsAsLeft(files.PathOf(StoreFormat.ControlName)) || words.UsesLock(locks))
        {
            return;
        }
        bool hasFailed = words.Failed != 0 && words.FailedFile != ControlFormat.LockWasLost;
        if (!hasFailed)
        {
            MachineMemory.Store(ref words.FailedFile, ControlFormat.LockWasLost);
            MachineMemory.Store(ref words.Failed, ControlFormat.FailedWord(error: 0, Environment.ProcessId));
        }
        CloseLock(files, words, patience, new OpeningProgress(locks));
        FailPoint.Reach(ProtocolStep.LostLockClosed);
        Replace(files, region, hasFailed, locks);
    }

    private static MappedRegion? TryMap(QueueFiles files)
    {
        try
        {
            return files.Exists(StoreFormat.ControlName) ? files.Map(StoreFormat.ControlName, ControlFormat.Size) : null;
        }
        catch (QueueCorruptException)
        {
            // No control file: code that needs it reports that.
            return null;
        }
    }

    private static void CloseLock(QueueFiles files, ControlFile words, in Patience patience, OpeningProgress progress)
    {
        long started = Stopwatch.GetTimestamp(), holder;
        // SYNC POINT append lock: acquires what the last appender published, and publishes why to those that are refused.
        while ((holder = MachineMemory.CompareExchange(ref words.LockOwner, ControlFormat.ClosedLock, 0))
            is not (0 or ControlFormat.ClosedLock))
        {
            if (LockWord.IsBiased(holder) && TryEndBias(words, holder))
            {
                continue;
            }
            if (!Participant.IsKnown<MachineMemory>(words, LockWord.OwnerOf(holder)))
            {
                // Damage: no process has this owner word.
                MachineMemory.CompareExchange(ref words.LockOwner, 0, holder);
                continue;
            }
            patience.ThrowIfCancelled(files.Directory, $"{StoreFormat.LockName} was lost while another process was enqueuing");
            if (patience.IsOver(started))
            {
                int process = words.ProcessId(ControlFormat.ParticipantIndex(holder));
                throw new QueueStalledException(
                    $"{files.Directory}: {StoreFormat.LockName} was deleted or replaced while process {process} was enqueuing, so no "
                    + "process can see whether that still lives. Let it run, or end it. When no process has the queue open, delete "
                    + $"{StoreFormat.ControlName}: it is made again from the messages.")
                { Path = files.Directory, ProcessId = process };
            }
            // Others that wait for the opening lock see that this process runs.
            progress.Tick();
            Thread.Sleep(1);
        }
    }

    // false while the thread that the lock is biased to is inside.
    private static bool TryEndBias(ControlFile words, long word)
    {
        long revoked = LockWord.Revoke(word);
        MachineMemory.CompareExchange(ref words.LockOwner, revoked, word);
        MachineMemory.RevokerFence();
        return words.IsOutside<MachineMemory>(revoked)
            && MachineMemory.CompareExchange(ref words.LockOwner, 0, revoked) == revoked;
    }

    private static void Replace(QueueFiles files, MappedRegion region, bool hasFailed, SafeFileHandle locks)
    {
        using SafeFileHandle file = files.CreateUnfinished(StoreFormat.ControlName);
        CurrentPlatform.Instance.Preallocate(file, region.Length);
        using (var copy = new MappedRegion(file, region.Length))
        {
            region.Bytes(0, (int)region.Length).CopyTo(copy.Bytes(0, (int)region.Length));
            var words = new ControlFile(copy);
            words.LockOwner = 0;
            words.Failed = hasFailed ? words.Failed : 0;
            words.NoteIdentity(files.PathOf(StoreFormat.ControlName + StoreFormat.UnfinishedSuffix));
            words.NoteLock(locks);
        }
        if (!CurrentPlatform.Instance.ReplacesMapped)
        {
            // Those that the old words are for have them mapped. A death behind this line leaves no control file: the next opening makes it
            // from the messages.
            files.Delete(StoreFormat.ControlName);
        }
        files.Finish(StoreFormat.ControlName, file);
    }
}
