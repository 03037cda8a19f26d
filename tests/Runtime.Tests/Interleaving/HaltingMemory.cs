using BlitQueue.Memory;
using BlitQueue.Tests.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Interleaving;

/// <summary>
/// The machine's memory, where a <see cref="HaltedThread"/> stops in front of one of its writes, and the clock is the test's.
/// </summary>
internal readonly struct HaltingMemory : IMachineMemory
{
    public static long Clock { get; set; } = 1_000_000;

    /// <summary>How often the kernel was asked whether somebody lives.</summary>
    public static int Questions { get; set; }

    /// <summary>Sees what goes to the disk; null: nobody does.</summary>
    public static Action<MappedRegion, long, long>? Synced { get; set; }

    public static long Milliseconds => Clock;

    public static long ThreadId => Environment.CurrentManagedThreadId;

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

    public static void Sync(MappedRegion region, long start, long end)
    {
        HaltedThread.Current?.BeforeWrite();
        Synced?.Invoke(region, start, end);
    }

    public static bool IsByteLocked(SafeFileHandle file, long offset)
    {
        Questions++;
        return MachineMemory.IsByteLocked(file, offset);
    }
}
