using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Segments;

/// <summary>The real memory, where a test does something of its own right before one of the protocol's accesses on its thread.</summary>
internal readonly struct InterruptedMemory : ISharedMemory
{
    [ThreadStatic]
    private static int Remaining;

    [ThreadStatic]
    private static int Passed;

    [ThreadStatic]
    private static Action? Interruption;

    /// <summary>Has something done before an access, counted from 1, of what the caller's thread does next.</summary>
    public static void Before(int access, Action interruption) => (Remaining, Interruption, Passed) = (access, interruption, 0);

    /// <summary>Ends the counting.</summary>
    /// <returns>How many accesses there were, those after the interruption included.</returns>
    public static int End()
    {
        Interruption = null;
        return Passed;
    }

    private static void Count()
    {
        Passed++;
        if (Interruption is { } interruption && --Remaining == 0)
        {
            Interruption = null;
            interruption();
        }
    }

    public static long Load(ref readonly long word)
    {
        Count();
        return MachineMemory.Load(in word);
    }

    public static int Load(ref readonly int word)
    {
        Count();
        return MachineMemory.Load(in word);
    }

    public static void Store(ref long word, long value)
    {
        Count();
        MachineMemory.Store(ref word, value);
    }

    public static void Store(ref int word, int value)
    {
        Count();
        MachineMemory.Store(ref word, value);
    }

    public static long CompareExchange(ref long word, long value, long expected)
    {
        Count();
        return MachineMemory.CompareExchange(ref word, value, expected);
    }

    public static long Read(ref readonly long word) => MachineMemory.Read(in word);

    public static void Write(ref long word, long value) => MachineMemory.Write(ref word, value);

    public static bool IsWatched => false;

    public static void Reading(ReadOnlySpan<byte> bytes)
    {
    }

    public static void Written(ReadOnlySpan<byte> bytes)
    {
    }

    public static void Increment(ref int word) => MachineMemory.Increment(ref word);

    public static void Increment(ref long word) => MachineMemory.Increment(ref word);

    public static void WakerFence() => MachineMemory.WakerFence();

    public static void SleeperFence() => MachineMemory.SleeperFence();

    public static void Sleep(ref int word, int expected, TimeSpan atMost) => MachineMemory.Sleep(ref word, expected, atMost);

    public static void Wake(ref int word) => MachineMemory.Wake(ref word);

    public static bool TrySpin(int round) => MachineMemory.TrySpin(round);

    public static void Rest() => MachineMemory.Rest();

    public static bool IsByteLocked(SafeFileHandle file, long offset) => MachineMemory.IsByteLocked(file, offset);

    public static long Milliseconds => MachineMemory.Milliseconds;
}
