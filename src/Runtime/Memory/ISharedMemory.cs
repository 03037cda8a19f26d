namespace BlitQueue.Memory;

/// <summary>
/// The one door through which the protocol reaches words that other processes read and write. Protocol code is generic over it; for
/// <see cref="MachineMemory"/> the JIT leaves nothing of the indirection, and a scheduler that explores interleavings and crashes can
/// stand in its place and see every access.
/// </summary>
internal interface ISharedMemory
{
    /// <summary>Reads with acquire order: what was written before the value was stored is seen after.</summary>
    static abstract long Load(ref readonly long word);

    /// <summary>Reads with acquire order.</summary>
    static abstract int Load(ref readonly int word);

    /// <summary>Writes with release order: whoever loads the value sees all that was written before.</summary>
    static abstract void Store(ref long word, long value);

    /// <summary>Writes with release order.</summary>
    static abstract void Store(ref int word, int value);

    /// <summary>Writes <paramref name="value"/> if the word is <paramref name="expected"/>; a full fence.</summary>
    /// <returns>What the word was.</returns>
    static abstract long CompareExchange(ref long word, long value, long expected);

    /// <summary>Adds one; a full fence.</summary>
    static abstract void Increment(ref int word);

    /// <summary>Adds one; a full fence.</summary>
    static abstract void Increment(ref long word);

    /// <summary>
    /// The frequent side of a pair with <see cref="SleeperFence"/>: orders this thread's stores before its following loads, at no cost
    /// where the operating system lets the sleeper's side pay.
    /// </summary>
    static abstract void WakerFence();

    /// <summary>The rare side: a full fence here and in every process that takes part.</summary>
    static abstract void SleeperFence();
}
