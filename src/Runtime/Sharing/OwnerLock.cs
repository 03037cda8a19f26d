using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Sharing;

/// <summary>
/// A lock of processes and their threads: one word that names its holder's handle. Another handle takes it over only if the kernel says
/// that the holder is dead.
/// </summary>
/// <param name="control">The words.</param>
/// <param name="self">This handle.</param>
/// <param name="gate">Waits end when it is closed.</param>
/// <param name="path">The file, for messages.</param>
internal sealed class OwnerLock<TMem>(ControlFile control, Participant self, CallGate gate, string path)
    where TMem : struct, ISharedMemory
{
    private readonly SharedWord<long> _word = control.LockOwnerWord;

    // The thread that has the lock through this handle; 0 for none. A thread reads its own number here only if it wrote it itself.
    private int _thread;

    /// <summary>Whether the calling thread has the lock.</summary>
    public bool IsMine => _thread == Environment.CurrentManagedThreadId;

    /// <summary>Who has the lock: its owner word; 0 for none.</summary>
    public long Owner => TMem.Load(ref _word.Value);

    /// <summary>Waits until the calling thread has the lock.</summary>
    /// <returns>false if the limit is over.</returns>
    /// <exception cref="LockRecursionException">The calling thread has it already.</exception>
    /// <exception cref="OperationCanceledException">The limit's token was cancelled.</exception>
    public bool TryAcquire(in WaitLimit limit)
    {
        // SYNC POINT shared lock: acquires what the holder before it wrote.
        if (TMem.CompareExchange(ref _word.Value, self.OwnerWord, 0) != 0 && !TryAcquireContended(limit))
        {
            return false;
        }
        _thread = Environment.CurrentManagedThreadId;
        FailPoint.Reach(ProtocolStep.SharedLockAcquired);
        return true;
    }

    private bool TryAcquireContended(in WaitLimit limit)
    {
        if (IsMine)
        {
            throw new LockRecursionException($"{path}: this thread has the lock already. It cannot be taken twice; release it first.");
        }
        using CancellationTokenRegistration wakeOnCancel = WakeOnCancel(limit.Token);
        for (int round = 0; ; round++)
        {
            // SYNC POINT shared lock: acquires what the holder before it wrote.
            long owner = TMem.Load(ref _word.Value);
            if (owner == 0 ? TMem.CompareExchange(ref _word.Value, self.OwnerWord, 0) == 0 : !TMem.TrySpin(round) && TryTakeOver(owner))
            {
                return true;
            }
            if (owner != 0 && !TryWait(round, owner, limit))
            {
                return false;
            }
        }
    }

    /// <summary>Takes the lock over from a dead holder.</summary>
    /// <returns>false if the holder lives, or is another one by now.</returns>
    public bool TryTakeOver(long owner)
    {
        if (self.IsAlive<TMem>(owner) || TMem.CompareExchange(ref _word.Value, self.OwnerWord, owner) != owner)
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.SharedLockTakenOver);
        // If this process dies before this line, the next one finds it as the dead holder.
        TMem.Store(ref control.Abandoned, 1 + (self.ProcessOf(owner) ?? 0));
        return true;
    }

    /// <summary>Waits a moment for the word to change from what it was.</summary>
    /// <returns>false if the limit is over.</returns>
    /// <exception cref="OperationCanceledException">The limit's token was cancelled.</exception>
    public bool TryWait(int round, long seen, in WaitLimit limit)
    {
        ThrowIfEnded(limit.Token, self.ProcessOf(seen));
        // The first rounds spin; only later ones sleep.
        if (round < SpinsBeforeSleep)
        {
            return true;
        }
        if (limit.IsOver)
        {
            return false;
        }
        int ticket = control.Data.PrepareWait<TMem>();
        if (TMem.Load(ref _word.Value) == seen)
        {
            control.Data.Wait<TMem>(ticket, limit.Left);
        }
        return true;
    }

    private static int SpinsBeforeSleep => TMem.IsWatched ? 0 : MachineMemory.LongestSpin;

    /// <summary>Throws if the token was cancelled, with the process that was waited for, or if the handle was disposed.</summary>
    public void ThrowIfEnded(CancellationToken token, int? holder)
    {
        if (gate.IsClosed)
        {
            throw gate.Disposed();
        }
        if (token.IsCancellationRequested)
        {
            throw new OperationCanceledException($"{path}: cancelled while {Describe(holder)} had the lock.", token);
        }
    }

    /// <summary>The exception for a caller whose time is over.</summary>
    public SharedLockTimeoutException TimedOut(int? holder) =>
        new($"{path}: {Describe(holder)} has the lock and lives, and the time to wait for it is over. Nothing was changed.")
        { Path = path, ProcessId = holder };

    private static string Describe(int? process) => process is { } id ? $"process {id}" : "another process";

    /// <summary>Wakes the sleepers when the token is cancelled, so that they look again.</summary>
    public CancellationTokenRegistration WakeOnCancel(CancellationToken token) =>
        token.UnsafeRegister(static state => ((EventCount)state!).NotifyAll<TMem>(), control.Data);

    /// <summary>The process that has the lock; null for none, or one that is dead.</summary>
    public int? LiveHolder => Owner is not 0 and var owner && self.IsAlive<TMem>(owner) ? self.ProcessOf(owner) : null;

    /// <summary>The process that died with the lock, until a holder releases it: 1 + its id; 0 for none.</summary>
    public long Abandoned => TMem.Load(ref control.Abandoned);

    /// <summary>Releases the lock of the calling thread.</summary>
    /// <param name="isSound">Whether the caller had the chance to put right what a dead holder left.</param>
    public void Release(bool isSound)
    {
        if (isSound && Abandoned != 0)
        {
            TMem.Store(ref control.Abandoned, 0);
        }
        _thread = 0;
        // SYNC POINT shared lock: publishes all that was written under the lock.
        TMem.Store(ref _word.Value, 0);
        FailPoint.Reach(ProtocolStep.SharedLockReleased);
        control.Data.NotifyWaiters<TMem>();
    }
}
