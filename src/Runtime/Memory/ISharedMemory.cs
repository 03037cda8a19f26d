using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Memory;

/// <summary>
/// The one door through which the protocol meets other processes: the words that they read and write, the kernel's sleep on such a word,
/// which of them live, and the time that they share. Protocol code is generic over it; for <see cref="MachineMemory"/> the JIT leaves
/// nothing of the indirection, and a scheduler that explores interleavings and crashes can stand in its place and see every access.
/// </summary>
internal interface ISharedMemory
{
    /// <summary>Reads with acquire order: what was written before the value was stored is seen after.</summary>
    static abstract long Load(ref readonly long word);

    /// <summary>Reads with acquire order.</summary>
    static abstract int Load(ref readonly int word);

    /// <summary>Writes with release order: a thread that loads the value sees all that was written before it.</summary>
    static abstract void Store(ref long word, long value);

    /// <summary>Writes with release order.</summary>
    static abstract void Store(ref int word, int value);

    /// <summary>Reads without any order: what an acquire before it, of the append lock for example, has made visible.</summary>
    static abstract long Read(ref readonly long word);

    /// <summary>Writes without any order: a release behind it publishes it.</summary>
    static abstract void Write(ref long word, long value);

    /// <summary>Whether somebody watches; else the two calls that follow do nothing.</summary>
    static abstract bool IsWatched { get; }

    /// <summary>Says that bytes are about to be read by plain instructions, one by one; does nothing unless somebody watches.</summary>
    static abstract void Reading(ReadOnlySpan<byte> bytes);

    /// <summary>
    /// Says that bytes have been written by plain instructions since the last access through here; does nothing unless somebody watches.
    /// </summary>
    static abstract void Written(ReadOnlySpan<byte> bytes);

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

    /// <summary>
    /// Sleeps in the kernel while the word is as expected, until <see cref="Wake"/> or the time-out; may return early for no reason.
    /// </summary>
    static abstract void Sleep(ref int word, int expected, TimeSpan atMost);

    /// <summary>Wakes all that sleep on the word.</summary>
    static abstract void Wake(ref int word);

    /// <summary>Lets a moment pass between two looks at what another is about to change.</summary>
    /// <param name="round">How often that was done already.</param>
    /// <returns>false, at once, when it has been done so often that the other one may not be running.</returns>
    static abstract bool TrySpin(int round);

    /// <summary>Lets a millisecond pass.</summary>
    static abstract void Rest();

    /// <summary>Whether another handle holds the lock on a byte of a file, as <see cref="Platform.IPlatform.IsByteLocked"/>.</summary>
    static abstract bool IsByteLocked(SafeFileHandle file, long offset);

    /// <summary>Since the system's start.</summary>
    static abstract long Milliseconds { get; }
}
