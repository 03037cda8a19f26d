using BlitQueue.Log;
using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Sharing;

/// <summary>
/// Many readers, or one writer. The writer is the holder of the <see cref="OwnerLock{TMem}"/>; each handle counts its readers in a word of
/// its own, so that readers of different processes write to different cache lines.
/// </summary>
/// <remarks>
/// SYNC POINT shared readers: a reader raises its count, which is a full fence, then looks at the lock word; a writer exchanges the lock
/// word, also a full fence, then looks at the counts. So either the reader sees the writer and leaves, or the writer sees the reader and
/// waits. Writers ignore the count of a dead handle.
/// </remarks>
internal sealed class ReadWriteLock<TMem>(ControlFile control, Participant self, SafeFileHandle locks, OwnerLock<TMem> writer)
    : IDisposable
    where TMem : struct, ISharedMemory
{
    // How many times each thread reads through this handle.
    private readonly ThreadLocal<int> _reads = new();

    private ref long Own => ref control.ReadersWord(self.Index);

    /// <summary>Waits until no process writes.</summary>
    /// <returns>false if the limit is over.</returns>
    /// <exception cref="LockRecursionException">The calling thread writes.</exception>
    /// <exception cref="OperationCanceledException">The limit's token was cancelled.</exception>
    public bool TryEnterRead(in WaitLimit limit)
    {
        if (writer.IsMine)
        {
            throw new LockRecursionException("This thread has the lock for writing, and cannot take it for reading too.");
        }
        int reads = _reads.Value;
        if (reads > 0)
        {
            // A thread that reads already must not wait for a writer: the writer waits for that thread.
            TMem.Increment(ref Own);
        }
        else if (!TryCountIn() && !TryEnterContended(limit))
        {
            return false;
        }
        _reads.Value = reads + 1;
        return true;
    }

    private bool TryEnterContended(in WaitLimit limit)
    {
        using CancellationTokenRegistration wakeOnCancel = writer.WakeOnCancel(limit.Token);
        for (int round = 0; ; round++)
        {
            long owner = writer.Owner;
            if (owner == 0)
            {
                if (TryCountIn())
                {
                    return true;
                }
                continue;
            }
            if (TMem.TrySpin(round))
            {
                continue;
            }
            if (writer.TryTakeOver(owner))
            {
                writer.Release(isSound: false);
            }
            else if (!writer.TryWait(round, owner, limit))
            {
                return false;
            }
        }
    }

    // false if a process writes, or is about to.
    private bool TryCountIn()
    {
        TMem.Increment(ref Own);
        FailPoint.Reach(ProtocolStep.SharedReaderCounted);
        // Acquires what the last writer wrote: see SYNC POINT shared lock.
        if (writer.Owner == 0)
        {
            return true;
        }
        CountOut();
        return false;
    }

    /// <summary>Ends a read of the calling thread; does nothing where it does not read.</summary>
    public void ExitRead()
    {
        if (_reads.Value > 0)
        {
            _reads.Value--;
            CountOut();
        }
    }

    private void CountOut()
    {
        // SYNC POINT shared readers: a full fence, so that a writer that sees the lower count writes only after everything that was read
        // before.
        for (long now = TMem.Load(ref Own); TMem.CompareExchange(ref Own, now - 1, now) is var seen && seen != now; now = seen)
        {
        }
        control.Data.NotifyWaiters<TMem>();
    }

    /// <summary>Waits until no other process and thread reads or writes.</summary>
    /// <param name="limit">How long.</param>
    /// <param name="holder">The process that was waited for last.</param>
    /// <returns>false if the limit is over.</returns>
    /// <exception cref="LockRecursionException">The calling thread reads or writes already.</exception>
    /// <exception cref="OperationCanceledException">The limit's token was cancelled.</exception>
    public bool TryEnterWrite(in WaitLimit limit, out int? holder)
    {
        holder = null;
        if (_reads.Value > 0)
        {
            throw new LockRecursionException("This thread has the lock for reading, and cannot take it for writing too.");
        }
        if (!writer.TryAcquire(limit))
        {
            holder = writer.LiveHolder;
            return false;
        }
        bool isAlone = false;
        try
        {
            return isAlone = TryOutwaitReaders(limit, out holder);
        }
        finally
        {
            if (!isAlone)
            {
                writer.Release(isSound: false);
            }
        }
    }

    private bool TryOutwaitReaders(in WaitLimit limit, out int? holder)
    {
        holder = null;
        using CancellationTokenRegistration wakeOnCancel = limit.Token.CanBeCanceled ? writer.WakeOnCancel(limit.Token) : default;
        // Each participant raised the end, which is a full fence, before its first read.
        long end = TMem.Load(ref control.ParticipantsEnd);
        for (int index = 0; index < end && index < ControlFormat.MaximumParticipants; index++)
        {
            for (int round = 0; Reads(index, round); round++)
            {
                holder = control.ProcessId(index);
                writer.ThrowIfEnded(limit.Token, holder);
                if (limit.IsOver)
                {
                    return false;
                }
                int ticket = control.Data.PrepareWait<TMem>();
                if (TMem.Load(ref control.ReadersWord(index)) != 0)
                {
                    control.Data.Wait<TMem>(ticket, limit.Left);
                }
            }
        }
        FailPoint.Reach(ProtocolStep.SharedWriterAlone);
        return true;
    }

    // Whether a live participant reads. The first look spins for a while.
    private bool Reads(int index, int round)
    {
        // SYNC POINT shared readers: acquires the end of their reads.
        for (int spin = round == 0 ? 0 : int.MaxValue; TMem.Load(ref control.ReadersWord(index)) != 0; spin++)
        {
            if (spin == int.MaxValue || !TMem.TrySpin(spin))
            {
                return index == self.Index || TMem.IsByteLocked(locks, StoreFormat.FirstParticipantLock + index);
            }
        }
        return false;
    }

    /// <summary>Ends the write of the calling thread; does nothing where it does not write.</summary>
    public void ExitWrite()
    {
        if (writer.IsMine)
        {
            writer.Release(isSound: true);
        }
    }

    public void Dispose() => _reads.Dispose();
}
