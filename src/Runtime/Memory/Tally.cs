namespace BlitQueue.Memory;

/// <summary>
/// A count that threads add to inside calls of a <see cref="CallGate"/>, for a nanosecond's fraction: the first thread that comes has a
/// word of its own, which it adds to without an atomic; all others share a second one. Any thread may read the sum at any time.
/// </summary>
internal sealed unsafe class Tally
{
    private const nint NoOwner = -1;

    private TallyWords _words = new() { Owner = NoOwner };

    /// <summary>What was added until now.</summary>
    public long Value => Volatile.Read(ref _words.Own) + Volatile.Read(ref _words.Others);

    /// <summary>Adds to the count. The calling thread is inside a call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(long count) => Add(CallGate.OwnWords, count);

    /// <summary>The same, with the words that the call has already.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(CallWords* thread, long count)
    {
        if (!Instruments.AreSupported)
        {
            return;
        }
        if (_words.Owner == (nint)thread)
        {
            _words.Own += count;
        }
        else
        {
            AddOtherwise(thread, count);
        }
    }

    // A thread that has ended leaves its word to the thread that gets its memory, or to none.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddOtherwise(CallWords* thread, long count)
    {
        if (Interlocked.CompareExchange(ref _words.Owner, (nint)thread, NoOwner) == NoOwner)
        {
            _words.Own += count;
        }
        else
        {
            Interlocked.Add(ref _words.Others, count);
        }
    }

    /// <summary>A line of their own: what lies beside a tally on the heap is another thread's, perhaps.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 3 * Line)]
    private struct TallyWords
    {
        private const int Line = 64;

        [FieldOffset(Line)]
        public nint Owner;

        [FieldOffset(Line + 8)]
        public long Own;

        [FieldOffset(Line + 16)]
        public long Others;
    }
}
