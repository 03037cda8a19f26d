namespace BlitQueue.Memory;

/// <summary>
/// A call inside a <see cref="CallGate"/> that takes a few steps, cannot throw and runs no user code. It takes fewer instructions than
/// <see cref="CallGate.Enter"/> and calls no method, so that the caller's values stay in registers.
/// </summary>
internal readonly unsafe ref struct LeafCall
{
    private readonly CallWords* _words;

    private LeafCall(CallWords* words) => _words = words;

    /// <summary>The calling thread's leaf call; not begun.</summary>
    public static LeafCall Own
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(CallGate.OwnWords);
    }

    /// <summary>false for a thread's first call, and inside of another call: use <see cref="CallGate.Enter"/> for those.</summary>
    public bool CanBegin
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _words != null && _words->Gate == 0;
    }

    /// <summary>
    /// Enters. The caller then checks whether the gate is closed, and leaves in any case; nothing in between may throw, or enter a gate.
    /// </summary>
    /// <param name="gate">The gate's number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Begin(long gate)
    {
        _words->Calls++;
        // The processor may do later loads before this store: the closer's process-wide fence makes up for that.
        Volatile.Write(ref _words->Gate, -gate);
    }

    /// <summary>As <see cref="ISharedMemory.ThreadId"/>.</summary>
    public long ThreadId
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (long)_words;
    }

    /// <summary>Adds one to a count.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Count(Tally tally) => tally.Add(_words, 1);

    /// <summary>Ends the call. A thread that closes the gate waits for that.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Volatile.Write(ref _words->Gate, 0);
}
