using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

/// <summary>How far the log may grow under the capacity, cached: subscriptions are only looked at when the cached limit is reached.</summary>
internal sealed class RoomLimit(SubscriptionSet subscriptions, ControlFile control, QueueOptions options)
{
    private readonly long _capacity = options.Capacity ?? long.MaxValue;
    private long _end = options.Capacity is null ? long.MaxValue : 0;

    /// <summary>Whether so many bytes may be appended at a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Allows(long position, long extent) => position + extent <= _end || position + extent <= Refresh();

    /// <summary>Sleeps until a consumer may have made room for so many bytes.</summary>
    public void Wait(long extent, CallGate gate)
    {
        using CallGate.Call call = gate.Enter();
        int ticket = control.Room.Announce<MachineMemory>();
        if (!HasRoom(extent))
        {
            control.Room.Sleep(ticket, WakeWord.LongestSleep);
        }
    }

    /// <summary>Whether so many bytes could be appended now.</summary>
    public bool HasRoom(long extent) => MachineMemory.Load(ref control.Tail) + extent <= Refresh();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long Refresh()
    {
        long oldest = subscriptions.OldestNeeded();
        return _end = oldest > long.MaxValue - _capacity ? long.MaxValue : oldest + _capacity;
    }
}
