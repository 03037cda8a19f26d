using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Memory;

/// <summary>The machine's memory, of which a test's own kind changes what it is about.</summary>
internal interface IMachineMemory : ISharedMemory
{
    static long ISharedMemory.Load(ref readonly long word) => MachineMemory.Load(in word);

    static int ISharedMemory.Load(ref readonly int word) => MachineMemory.Load(in word);

    static void ISharedMemory.Store(ref long word, long value) => MachineMemory.Store(ref word, value);

    static void ISharedMemory.Store(ref int word, int value) => MachineMemory.Store(ref word, value);

    static long ISharedMemory.Read(ref readonly long word) => MachineMemory.Read(in word);

    static void ISharedMemory.Write(ref long word, long value) => MachineMemory.Write(ref word, value);

    static void ISharedMemory.ReadFence() => MachineMemory.ReadFence();

    static void ISharedMemory.WriteFence() => MachineMemory.WriteFence();

    static bool ISharedMemory.IsWatched => false;

    static void ISharedMemory.Reading(ReadOnlySpan<byte> bytes)
    {
    }

    static void ISharedMemory.Written(ReadOnlySpan<byte> bytes)
    {
    }

    static long ISharedMemory.CompareExchange(ref long word, long value, long expected)
        => MachineMemory.CompareExchange(ref word, value, expected);

    static void ISharedMemory.Increment(ref long word) => MachineMemory.Increment(ref word);

    static void ISharedMemory.Sync(MappedRegion region, long start, long end) => MachineMemory.Sync(region, start, end);

    static void ISharedMemory.WakerFence() => MachineMemory.WakerFence();

    static bool ISharedMemory.SleeperFence() => MachineMemory.SleeperFence();

    static bool ISharedMemory.SleepersPay => MachineMemory.SleepersPay;

    static long ISharedMemory.ThreadId => MachineMemory.ThreadId;

    static void ISharedMemory.RevokerFence() => MachineMemory.RevokerFence();

    static void ISharedMemory.Fence() => MachineMemory.Fence();

    static bool ISharedMemory.IsEnough(ref int cases, int many) => MachineMemory.IsEnough(ref cases, many);

    static void ISharedMemory.Sleep(ref long word, int expected, TimeSpan atMost) => MachineMemory.Sleep(ref word, expected, atMost);

    static void ISharedMemory.Wake(ref long word, int left) => MachineMemory.Wake(ref word, left);

    static bool ISharedMemory.TrySpin(int round) => MachineMemory.TrySpin(round);

    static void ISharedMemory.Rest(SlottedBackoff backoff, TimeSpan atMost, CancellationToken token) =>
        MachineMemory.Rest(backoff, atMost, token);

    static bool ISharedMemory.IsByteLocked(SafeFileHandle file, long offset) => MachineMemory.IsByteLocked(file, offset);

    static long ISharedMemory.Milliseconds => MachineMemory.Milliseconds;
}
