using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Memory;

/// <summary>
/// All that the protocol shares with other processes: the words that they read and write, the kernel's sleep on such a word, which of them
/// live, and the time. Protocol code is generic over it. For <see cref="MachineMemory"/> the JIT removes the indirection; a scheduler that
/// explores interleavings and crashes implements it too, and sees every access.
/// </summary>
internal interface ISharedMemory
{
    /// <summary>Reads with acquire order: reads after it see what was written before the value was stored.</summary>
    static abstract long Load(ref readonly long word);

    /// <summary>Reads with acquire order.</summary>
    static abstract int Load(ref readonly int word);

    /// <summary>Writes with release order: a thread that loads the value sees all that was written before it.</summary>
    static abstract void Store(ref long word, long value);

    /// <summary>Writes with release order.</summary>
    static abstract void Store(ref int word, int value);

    /// <summary>
    /// Reads without any order, for a value that an earlier acquire has made visible, for example that of the append lock.
    /// </summary>
    static abstract long Read(ref readonly long word);

    /// <summary>Writes without any order; a later release publishes the value.</summary>
    static abstract void Write(ref long word, long value);

    /// <summary>
    /// Orders this thread's reads before it, also those with ordinary instructions, before all its accesses after it.
    /// </summary>
    static abstract void ReadFence();

    /// <summary>
    /// Orders all accesses of this thread before it before its writes after it, also before those with ordinary instructions.
    /// </summary>
    static abstract void WriteFence();

    /// <summary>Whether a scheduler watches; otherwise the next two methods do nothing.</summary>
    static abstract bool IsWatched { get; }

    /// <summary>
    /// Says that the caller is about to read bytes with plain instructions, one by one; does nothing unless a scheduler watches.
    /// </summary>
    static abstract void Reading(ReadOnlySpan<byte> bytes);

    /// <summary>
    /// Says that the caller has written bytes with plain instructions since the last access through this interface; does nothing unless a
    /// scheduler watches.
    /// </summary>
    static abstract void Written(ReadOnlySpan<byte> bytes);

    /// <summary>Writes <paramref name="value"/> if the word is <paramref name="expected"/>; a full fence.</summary>
    /// <returns>What the word was.</returns>
    static abstract long CompareExchange(ref long word, long value, long expected);

    /// <summary>Adds one; a full fence.</summary>
    static abstract void Increment(ref long word);

    /// <summary>
    /// The frequent side of a pair with <see cref="SleeperFence"/>: orders this thread's stores before its later loads. It costs nothing if
    /// the operating system lets the sleeper's side pay.
    /// </summary>
    static abstract void WakerFence();

    /// <summary>The rare side: a full fence in this process and in every other one that takes part.</summary>
    /// <returns>false if it was one of this thread alone, because the system has no other: then wakers pay.</returns>
    static abstract bool SleeperFence();

    /// <summary>Whether <see cref="SleeperFence"/> fences all processes, so that <see cref="WakerFence"/> costs nothing.</summary>
    static abstract bool SleepersPay { get; }

    /// <summary>
    /// A number that no other living thread of the process has: the address of the caller's <see cref="CallWords"/>. A call inside another
    /// one has another number; 0 before the thread's first call.
    /// </summary>
    static abstract long ThreadId { get; }

    /// <summary>
    /// As <see cref="SleeperFence"/>; if it is not one of all processes, it waits until what they stored before is seen.
    /// </summary>
    static abstract void RevokerFence();

    /// <summary>A full fence of this thread alone.</summary>
    static abstract void Fence();

    /// <summary>Counts a case, and says whether there have been so many of them; a scheduler says so of each, or of none.</summary>
    static abstract bool IsEnough(ref int cases, int many);

    /// <summary>
    /// Sleeps in the kernel while the word's upper half is as expected, until <see cref="Wake"/> or the time-out; may return earlier
    /// without a reason.
    /// </summary>
    static abstract void Sleep(ref long word, int expected, TimeSpan atMost);

    /// <summary>Wakes all that sleep on the word's upper half. The caller has changed it.</summary>
    /// <param name="word">The word.</param>
    /// <param name="left">What its upper half was.</param>
    static abstract void Wake(ref long word, int left);

    /// <summary>Waits a moment before the next look at a word that another thread is about to change.</summary>
    /// <param name="round">How often the caller has waited already.</param>
    /// <returns>false, without waiting, after so many rounds that the other thread may not be running.</returns>
    static abstract bool TrySpin(int round);

    /// <summary>
    /// Sleeps until the caller is to look at a lock again, as <see cref="SlottedBackoff.Rest"/>; in a model for any time.
    /// </summary>
    static abstract void Rest(SlottedBackoff backoff, TimeSpan atMost, CancellationToken token);

    /// <summary>Brings a part of a file to the disk, as <see cref="MappedRegion.Sync"/>.</summary>
    static abstract void Sync(MappedRegion region, long start, long end);

    /// <summary>Whether another handle holds the lock on a byte of a file, as <see cref="Platform.IPlatform.IsByteLocked"/>.</summary>
    static abstract bool IsByteLocked(SafeFileHandle file, long offset);

    /// <summary>Milliseconds since the system's start.</summary>
    static abstract long Milliseconds { get; }
}
