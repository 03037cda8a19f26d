using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Interleaving;

/// <summary>The machine's memory, where a <see cref="HaltedThread"/> stops in front of one of its writes, and the clock is the test's.</summary>
internal readonly struct HaltingMemory : ISharedMemory
{
    public static long Clock { get; set; } = 1_000_000;

    /// <summary>How often the kernel was asked whether somebody lives.</summary>
    public static int Questions { get; set; }

    public static bool IsWatched => false;

    public static long Milliseconds => Clock;

    public static long Load(ref readonly long word) => MachineMemory.Load(in word);

    public static int Load(ref readonly int word) => MachineMemory.Load(in word);

    public static long Read(ref readonly long word) => MachineMemory.Read(in word);

    public static void Store(ref long word, long value)
    {
        HaltedThread.Current?.BeforeWrite();
        MachineMemory.Store(ref word, value);
    }

    public static void Store(ref int word, int value)
    {
        HaltedThread.Current?.BeforeWrite();
        MachineMemory.Store(ref word, value);
    }

    public static void Write(ref long word, long value)
    {
        HaltedThread.Current?.BeforeWrite();
        MachineMemory.Write(ref word, value);
    }

    public static long CompareExchange(ref long word, long value, long expected)
    {
        HaltedThread.Current?.BeforeWrite();
        return MachineMemory.CompareExchange(ref word, value, expected);
    }

    public static void Increment(ref int word) => MachineMemory.Increment(ref word);

    public static void Increment(ref long word) => MachineMemory.Increment(ref word);

    public static void Reading(ReadOnlySpan<byte> bytes)
    {
    }

    public static void Written(ReadOnlySpan<byte> bytes)
    {
    }

    public static void WakerFence() => MachineMemory.WakerFence();

    public static void SleeperFence() => MachineMemory.SleeperFence();

    public static void Sleep(ref int word, int expected, TimeSpan atMost) => MachineMemory.Sleep(ref word, expected, atMost);

    public static void Wake(ref int word) => MachineMemory.Wake(ref word);

    public static bool TrySpin(int round) => MachineMemory.TrySpin(round);

    public static void Rest() => MachineMemory.Rest();

    public static bool IsByteLocked(SafeFileHandle file, long offset)
    {
        Questions++;
        return MachineMemory.IsByteLocked(file, offset);
    }
}
