using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Memory;

/// <summary>The real memory: plain instructions of the processor.</summary>
internal readonly struct MachineMemory : ISharedMemory
{
    // Whether this process takes part in heavy fences: those of others cover its stores, and its own ones theirs. Found out by the first
    // fence, of either side.
    private static readonly bool HasJoined = CurrentPlatform.Instance.JoinHeavyFence();

    // Milliseconds. A processor brings a store to its cache within microseconds, whatever its thread does meanwhile.
    private const int LongestStore = 20;

    // An append takes well under a microsecond; a lock's holder that lost its processor gets it back within some milliseconds.
    private const int SpinLength = 20, Yields = 20;

    /// <summary>In so many rounds <see cref="TrySpin"/> spins; in those behind them it yields.</summary>
    public const int Spins = 100;

    /// <summary>From this round on <see cref="TrySpin"/> does not wait.</summary>
    public const int LongestSpin = Spins + Yields;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Load(ref readonly long word) => Volatile.Read(in word);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Load(ref readonly int word) => Volatile.Read(in word);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref long word, long value) => Volatile.Write(ref word, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref int word, int value) => Volatile.Write(ref word, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Read(ref readonly long word) => word;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(ref long word, long value) => word = value;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void ReadFence() => Volatile.ReadBarrier();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFence() => Volatile.WriteBarrier();

    public static bool IsWatched
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Reading(ReadOnlySpan<byte> bytes)
    {
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Written(ReadOnlySpan<byte> bytes)
    {
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long CompareExchange(ref long word, long value, long expected) =>
        Interlocked.CompareExchange(ref word, value, expected);

    public static void Increment(ref int word) => Interlocked.Increment(ref word);

    public static void Increment(ref long word) => Interlocked.Increment(ref word);

    /// <summary>Adds a value; a full fence.</summary>
    public static void Add(ref long word, long value) => Interlocked.Add(ref word, value);

    /// <summary>Sets bits; a full fence.</summary>
    /// <returns>What the word was.</returns>
    public static long SetBits(ref long word, long bits) => Interlocked.Or(ref word, bits);

    /// <summary>Clears bits; a full fence.</summary>
    /// <returns>What the word was.</returns>
    public static long ClearBits(ref long word, long bits) => Interlocked.And(ref word, ~bits);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WakerFence()
    {
        if (!HasJoined)
        {
            Interlocked.MemoryBarrier();
        }
    }

    public static bool SleeperFence()
    {
        bool isHeavy = HasJoined && CurrentPlatform.Instance.TryHeavyFence();
        if (!isHeavy)
        {
            Interlocked.MemoryBarrier();
        }
        return isHeavy;
    }

    public static bool SleepersPay => HasJoined;

    public static unsafe long ThreadId
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (long)CallGate.OwnWords;
    }

    // A process that may not fence others, as in a sandbox, waits instead.
    public static void RevokerFence()
    {
        if (!SleeperFence())
        {
            Thread.Sleep(LongestStore);
        }
    }

    public static void Fence() => Interlocked.MemoryBarrier();

    // Threads that count at the same time may count one case less: it only has to happen now and then.
    public static bool IsEnough(ref int cases, int many)
    {
        bool isEnough = ++cases >= many;
        cases = isEnough ? 0 : cases;
        return isEnough;
    }

    public static void Sleep(ref long word, int expected, TimeSpan atMost) =>
        CurrentPlatform.Instance.Wait(UpperHalf(ref word), expected, atMost);

    public static void Wake(ref long word, int left) => CurrentPlatform.Instance.WakeAll(UpperHalf(ref word), left);

    public static bool TrySpin(int round)
    {
        if (round < Spins)
        {
            Thread.SpinWait(SpinLength);
        }
        else if (round < Spins + Yields)
        {
            Thread.Yield();
        }
        return round < Spins + Yields;
    }

    public static void Rest(SlottedBackoff backoff, TimeSpan atMost, CancellationToken token) =>
        backoff.Rest(atMost, token);

    public static void Sync(MappedRegion region, long start, long end) => region.Sync(start, end);

    public static bool IsByteLocked(SafeFileHandle file, long offset) => CurrentPlatform.Instance.IsByteLocked(file, offset);

    public static long Milliseconds => Environment.TickCount64;

    // The word is in a mapping, which does not move.
    private static unsafe nint UpperHalf(ref long word) => (nint)Unsafe.AsPointer(ref word) + sizeof(int);
}
