using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>
/// The bias of the append lock. A thread that has appended many times in a row leaves the lock biased to it: from then on it acquires and
/// releases the lock by plain stores to a word of its own, without a compare-exchange. Each other that wants the lock revokes the bias
/// first (<see cref="AppendLockWait{TMem}"/>).
/// </content>
/// <remarks>
/// SYNC POINT append bias: the thread stores that it is inside, then loads the lock's word. Who revokes the bias marks the lock's word,
/// fences all processes, then loads whether the thread is inside. So either the thread sees the mark, or the other sees that it is inside,
/// and waits. The rare side pays for the fence; where the system has no such fence, no lock is biased.
/// </remarks>
internal sealed partial class Appender<TMem>
{
    // How many appends in a row make a bias; after each bias that was revoked twice as many, because a fence takes as long as hundreds of
    // appends.
    private const int FirstRow = 256, LongestRow = 1 << 20;

    // After so many bytes of log with a bias its end counts for nothing.
    private const long Worth = 16 << 20;

    // The number of no thread.
    private const long NoThread = -1;

    private readonly SharedWord<long> _inside = control.InsideWord(self.Index), _granted = control.GrantsWord(self.Index);

    // The thread that has the bias now, and the only one of this handle that ever gets one: another one would need a word of its own to say
    // that it is inside.
    private long _biased = NoThread, _onlyThread = NoThread;

    // What the lock's word is while that thread has the bias, else 0; where the log was then; how many appends in a row the next one takes.
    private long _biasWord;
    private long _biasedFrom;
    private int _neededRow = FirstRow;

    // Only the holder of the append lock uses them: how many times in a row a thread has appended, where the last record ended, how many
    // biases there were, and what the lock's word becomes at the release.
    private long _rowThread = NoThread;
    private int _row;
    private long _rowEnd;
    private long _grants;
    private long _left;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEnter(long thread)
    {
        // A thread that is inside already, by a call around this one, must not enter once more.
        if (thread == MachineMemory.Load(ref _biased) && TMem.Load(ref _inside.Value) == 0)
        {
            TMem.Store(ref _inside.Value, 1);
            TMem.WakerFence();
            // No other thread has held the lock since the bias was granted, so there is nothing to acquire. While appends are denied this
            // is another word.
            if (TMem.Load(ref _entry.Value) == _biasWord)
            {
                return true;
            }
            LoseBias();
        }
        // SYNC POINT append lock: acquires what the holder before wrote at the tail.
        bool taken = TMem.CompareExchange(ref _entry.Value, _me, 0) == 0;
        if (taken)
        {
            CountRow(thread);
        }
        return taken;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountRow(long thread)
    {
        if (thread != _rowThread || _rowEnd != TMem.Read(ref _tail.Value))
        {
            (_rowThread, _row) = (thread, 0);
        }
        else if (thread != 0 && TMem.IsEnough(ref _row, _neededRow))
        {
            GrantBias(thread);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void GrantBias(long thread)
    {
        if (_onlyThread == NoThread)
        {
            _onlyThread = thread;
        }
        if (_onlyThread == thread && TMem.SleepersPay && _grants < LockWord.MostGrants)
        {
            // SYNC POINT append lock: publishes both. The thread has the lock by its word: it is not inside, whatever a damaged word says.
            TMem.Write(ref _inside.Value, 0);
            TMem.Write(ref _granted.Value, ++_grants);
            _left = LockWord.Biased(_me, _grants);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Leave()
    {
        // The lock's word alone says how the holder has it, whichever of the handle's threads that is.
        long word = TMem.Read(ref _lockOwner.Value);
        if (LockWord.Revoke(word) == LockWord.Revoke(_biasWord))
        {
            // SYNC POINT append bias: publishes the tail and the zero header at it to those who revoke the bias.
            TMem.Store(ref _inside.Value, 0);
        }
        else
        {
            LeaveWord();
        }
    }

    private void LeaveWord()
    {
        _rowEnd = TMem.Read(ref _tail.Value);
        if (_left == 0)
        {
            // SYNC POINT append lock: publishes the tail and the zero header at it to the next holder.
            TMem.Store(ref _lockOwner.Value, 0);
            return;
        }
        (_biasWord, _biasedFrom, _left) = (_left, _rowEnd, 0);
        MachineMemory.Store(ref _biased, _onlyThread);
        // SYNC POINT append lock: publishes the same.
        TMem.Store(ref _lockOwner.Value, _biasWord);
        FailPoint.Reach(ProtocolStep.BiasGranted);
    }

    // The bias was revoked, or appends are denied.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void LoseBias()
    {
        TMem.Store(ref _inside.Value, 0);
        MachineMemory.Store(ref _biased, NoThread);
        _biasWord = 0;
        bool wasWorthIt = TMem.Read(ref _tail.Value) - _biasedFrom >= Worth;
        _neededRow = wasWorthIt ? FirstRow : Math.Min(2 * _neededRow, LongestRow);
    }

    // No thread appends any more. If the bias was revoked, the lock's word is another one by now.
    private void GiveUpBias()
    {
        if (_biasWord != 0)
        {
            TMem.CompareExchange(ref _lockOwner.Value, 0, _biasWord);
        }
    }
}
