using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Explorer;

/// <summary>
/// The memory of a simulated process: each access is handed to the run of the step that the thread is just in, which knows what is seen.
/// </summary>
internal readonly struct SimMemory : ISharedMemory
{
    private static StepRun Run => StepRun.Current!;

    public static long Load(ref readonly long word) => Run.Observe(AccessKind.Load, AddressOf(in word));

    public static int Load(ref readonly int word) => (int)Run.Observe(AccessKind.Load, AddressOf(in word), size: sizeof(int));

    public static void Store(ref long word, long value) => Run.Write(AccessKind.Store, AddressOf(in word), value);

    public static void Store(ref int word, int value) => Run.Write(AccessKind.Store, AddressOf(in word), value, sizeof(int));

    public static long Read(ref readonly long word) => Run.Observe(AccessKind.Read, AddressOf(in word));

    public static void Write(ref long word, long value) => Run.Write(AccessKind.Write, AddressOf(in word), value);

    public static void ReadFence() => Run.Emit(new Access(AccessKind.ReadFence));

    public static void WriteFence() => Run.Emit(new Access(AccessKind.WriteFence));

    public static bool IsWatched => true;

    public static void Reading(ReadOnlySpan<byte> bytes) => Run.ReadBytes(bytes);

    public static void Written(ReadOnlySpan<byte> bytes) => Run.WriteBytes(bytes);

    public static long CompareExchange(ref long word, long value, long expected) => Run.Exchange(AddressOf(in word), value, expected);

    public static void Increment(ref long word) => Run.Write(AccessKind.Increment, AddressOf(in word), 0);

    public static void WakerFence() => Run.Emit(new Access(Run.HasHeavyFence ? AccessKind.WakerFence : AccessKind.Fence));

    public static bool SleeperFence()
    {
        Run.Emit(new Access(Run.HasHeavyFence ? AccessKind.SleeperFence : AccessKind.Fence));
        return Run.SleepersPay;
    }

    public static void Fence() => Run.Emit(new Access(AccessKind.Fence));

    public static bool IsEnough(ref int cases, int many) => Run.GivesUpFences || Run.Biases;

    public static bool SleepersPay => Run.SleepersPay;

    public static long ThreadId => Run.Biases ? 1 : 0;

    public static void RevokerFence() => SleeperFence();

    public static void Sleep(ref long word, int expected, TimeSpan atMost) => Run.Sleep(AddressOf(in word), expected);

    /// <summary>As the sleep of a thread that waits for several queues.</summary>
    public static void SleepOnEither(ref long word, int expected, ref long other, int otherExpected) =>
        Run.SleepOnEither((AddressOf(in word), expected), (AddressOf(in other), otherExpected));

    public static void Wake(ref long word, int left) => Run.Wake(AddressOf(in word));

    // Spinning is looking again at once; a scheduler that tries everything has no use for it.
    public static bool TrySpin(int round) => false;

    public static void Rest(SlottedBackoff backoff, TimeSpan atMost, CancellationToken token) =>
        Run.Emit(new Access(AccessKind.Rest));

    // What is on the disk counts after a power loss, and no schedule has one.
    public static void Sync(MappedRegion region, long start, long end)
    {
    }

    public static bool IsByteLocked(SafeFileHandle file, long offset) => Run.IsAlive(offset);

    public static long Milliseconds => Run.Milliseconds();

    private static unsafe nint AddressOf<T>(ref readonly T word) => (nint)Unsafe.AsPointer(ref Unsafe.AsRef(in word));
}
