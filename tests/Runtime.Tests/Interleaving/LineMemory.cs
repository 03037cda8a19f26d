using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Tests.Memory;

namespace BlitQueue.Tests.Interleaving;

/// <summary>
/// The machine's memory, which counts the cache lines that a core has to fetch from elsewhere, as many cores with endless caches would:
/// a line is in the caches of all that have read it, and in that of one alone once that one has written it.
/// </summary>
/// <remarks>For one test and one thread at a time, which says by <see cref="Core"/> whose turn it is.</remarks>
internal readonly struct LineMemory : IMachineMemory
{
    private const int LineShift = 6;

    private static readonly Dictionary<nint, HashSet<int>> Caches = [];

    /// <summary>The core that the following accesses are of.</summary>
    public static int Core { get; set; }

    /// <summary>How often a core did not have a line that it read, or did not have a line alone that it wrote.</summary>
    public static int Fetched { get; private set; }

    /// <summary>Empties all caches.</summary>
    public static void Reset()
    {
        Caches.Clear();
        Fetched = 0;
    }

    public static bool IsWatched => true;

    public static void Reading(ReadOnlySpan<byte> bytes) => Touch(bytes, isWrite: false);

    public static void Written(ReadOnlySpan<byte> bytes) => Touch(bytes, isWrite: true);

    public static long Load(ref readonly long word) => MachineMemory.Load(in Touched(in word, isWrite: false));

    public static int Load(ref readonly int word) => MachineMemory.Load(in Touched(in word, isWrite: false));

    public static long Read(ref readonly long word) => MachineMemory.Read(in Touched(in word, isWrite: false));

    public static void Store(ref long word, long value) => MachineMemory.Store(ref Touched(in word, isWrite: true), value);

    public static void Store(ref int word, int value) => MachineMemory.Store(ref Touched(in word, isWrite: true), value);

    public static void Write(ref long word, long value) => MachineMemory.Write(ref Touched(in word, isWrite: true), value);

    // One that fails asks for the line alone, too.
    public static long CompareExchange(ref long word, long value, long expected) =>
        MachineMemory.CompareExchange(ref Touched(in word, isWrite: true), value, expected);

    private static void Touch(ReadOnlySpan<byte> bytes, bool isWrite)
    {
        if (bytes.Length > 0)
        {
            nint first = LineOf(in bytes[0]), last = LineOf(in bytes[^1]);
            for (nint line = first; line <= last; line++)
            {
                Touch(line, isWrite);
            }
        }
    }

    private static ref T Touched<T>(ref readonly T word, bool isWrite)
    {
        Touch(LineOf(in word), isWrite);
        return ref Unsafe.AsRef(in word);
    }

    private static void Touch(nint line, bool isWrite)
    {
        if (!Caches.TryGetValue(line, out HashSet<int>? cores))
        {
            Caches[line] = cores = [];
        }
        if (!cores.Contains(Core) || (isWrite && cores.Count > 1))
        {
            Fetched++;
        }
        if (isWrite)
        {
            cores.Clear();
        }
        cores.Add(Core);
    }

    private static unsafe nint LineOf<T>(ref readonly T word) => (nint)Unsafe.AsPointer(ref Unsafe.AsRef(in word)) >> LineShift;
}
