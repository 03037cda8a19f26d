using System.Runtime.CompilerServices;
using BlitQueue.Platform;

namespace BlitQueue.Memory;

/// <summary>The real memory: plain instructions of the processor.</summary>
internal readonly struct MachineMemory : ISharedMemory
{
    // Read once, before any queue is opened by this process: whether a sleeper's heavy fence covers this process's stores.
    private static readonly bool SleepersPay = Recommended.Platform.JoinHeavyFence();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Load(ref readonly long word) => Volatile.Read(in word);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Load(ref readonly int word) => Volatile.Read(in word);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref long word, long value) => Volatile.Write(ref word, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref int word, int value) => Volatile.Write(ref word, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long CompareExchange(ref long word, long value, long expected) =>
        Interlocked.CompareExchange(ref word, value, expected);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Increment(ref int word) => Interlocked.Increment(ref word);

    public static void Increment(ref long word) => Interlocked.Increment(ref word);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WakerFence()
    {
        if (!SleepersPay)
        {
            Interlocked.MemoryBarrier();
        }
    }

    public static void SleeperFence()
    {
        if (!Recommended.Platform.TryHeavyFence())
        {
            Interlocked.MemoryBarrier();
        }
    }
}
