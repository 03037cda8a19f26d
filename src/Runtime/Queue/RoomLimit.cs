using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

/// <summary>How far the log may grow under the capacity, cached: subscriptions are only looked at when the cached limit is reached.</summary>
internal sealed class RoomLimit(SubscriptionSet subscriptions, ControlFile control, QueueOptions options)
{
    private readonly long _capacity = options.Capacity ?? long.MaxValue;
    private long _end = options.Capacity is null && options.SoftLimit is null ? long.MaxValue : 0;

    /// <summary>Says when more waits than <see cref="QueueOptions.SoftLimit"/>; null without one.</summary>
    public SoftLimitWatch? Soft { get; } = options.SoftLimit is { } limit ? new SoftLimitWatch(limit) : null;

    /// <summary>As far as the log may grow without another look at the subscriptions.</summary>
    public long KnownEnd => _end;

    /// <summary>Whether so many bytes may be appended at a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Allows(long position, long extent) => position + extent <= _end || Refresh(position, extent);

    /// <summary>Sleeps until a consumer may have made room for so many bytes.</summary>
    public void Wait(long extent, CallGate gate)
    {
        using CallGate.Call call = gate.Enter();
        int ticket = control.Room.Announce<MachineMemory>();
        if (!HasRoom(extent))
        {
            control.Room.Sleep<MachineMemory>(ticket, WakeWord.LongestSleep);
        }
    }

    /// <summary>Whether so many bytes could be appended now.</summary>
    public bool HasRoom(long extent)
    {
        long tail = MachineMemory.Load(ref control.Tail);
        return tail + extent <= End(OldestNeeded(tail));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Refresh(long position, long extent)
    {
        long oldest = OldestNeeded(position), end = End(oldest);
        if (position + extent > end)
        {
            _end = Math.Min(_end, end);
            return false;
        }
        _end = Soft is null ? end : Math.Min(end, Soft.Note(oldest, position + extent));
        return true;
    }

    // Without any subscription nothing waits; one that is made later is looked for again after a capacity's worth.
    private long OldestNeeded(long tail) => Math.Min(subscriptions.OldestNeeded(), tail);

    private long End(long oldest) => oldest > long.MaxValue - _capacity ? long.MaxValue : oldest + _capacity;
}
