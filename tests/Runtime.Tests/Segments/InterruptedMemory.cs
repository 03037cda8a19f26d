using BlitQueue.Memory;
using BlitQueue.Tests.Memory;

namespace BlitQueue.Tests.Segments;

/// <summary>The real memory, where a test does something of its own right before one of the protocol's accesses on its thread.</summary>
internal readonly struct InterruptedMemory : IMachineMemory
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
}
