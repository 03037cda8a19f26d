using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// How far the log may grow under the queue's capacity, cached: subscriptions are only looked at when the cached limit is reached, and the
/// capacity, which another handle may set, after some bytes.
/// </summary>
internal sealed class CapacityLimit(QueueStore store, QueueOptions options, object sender)
{
    // The part of the capacity, one sixteenth, for which a spinning producer waits: every look at the consumers' positions slows them, and
    // so much room serves many messages.
    private const int Plenty = 16;

    // Processor pauses, about half a microsecond.
    private const int PausesPerLook = 16;

    // So many bytes of log are appended before the capacity's word is looked at again.
    private const long BytesPerLook = 1 << 16;

    private readonly ControlFile _control = store.Control;
    private readonly bool _isSoft = options.SoftLimit is not null;

    // _end: up to where the log may grow without a look at the capacity's word. _limit: up to where it might grow by the last look at the
    // subscriptions, under the capacity _seenCapacity. Only the holder of the append lock changes them.
    private long _end, _limit, _seenCapacity;

    /// <summary>The queue's, in bytes; <see cref="long.MaxValue"/> where there is none.</summary>
    public long Capacity => MachineMemory.Load(ref _control.Capacity) is > 0 and var set ? set : long.MaxValue;

    /// <summary>Says when more waits than <see cref="QueueOptions.SoftLimit"/>; null without one.</summary>
    public SoftLimitWatch? Soft { get; } = options.SoftLimit is { } limit ? new SoftLimitWatch(limit, sender) : null;

    /// <summary>As far as the log may grow without another look.</summary>
    public long KnownEnd => _end;

    /// <summary>The capacity that the latest look saw. The caller holds the append lock.</summary>
    public long SeenCapacity => _seenCapacity;

    /// <summary>Whether so many bytes may be appended at a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Allows(long position, long extent) => position + extent <= _end || Refresh(position, extent);

    /// <summary>
    /// The same for what takes several segments: with its padding and their headers it may exceed the capacity, and goes in where nothing
    /// else waits.
    /// </summary>
    public bool AllowsStaged(long position, long extent) =>
        position + extent <= _end || Refresh(position, Math.Min(extent, Capacity));

    /// <summary>Spins, then sleeps, until a consumer may have made room for so many bytes, or the token is cancelled.</summary>
    public void Wait(long extent, CallGate gate, CancellationToken cancellationToken)
    {
        if (SpinForRoom(Math.Max(extent, Capacity / Plenty), gate))
        {
            return;
        }
        using DirectoryWatch.WaitScope wait = store.Watch.Wait();
        using CallGate.Call call = gate.Enter();
        int ticket = _control.Room.PrepareWait<MachineMemory>();
        if (!HasRoom(extent) && !cancellationToken.IsCancellationRequested)
        {
            _control.Room.Wait<MachineMemory>(ticket, EventCount.LongestSleep);
        }
    }

    private bool SpinForRoom(long extent, CallGate gate)
    {
        for (long started = Stopwatch.GetTimestamp();
            Stopwatch.GetElapsedTime(started) < options.SpinDuration;
            Thread.SpinWait(PausesPerLook))
        {
            using CallGate.Call call = gate.Enter();
            if (HasRoom(extent))
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>Whether so many bytes could be appended now, or nothing waits.</summary>
    public bool HasRoom(long extent)
    {
        long tail = MachineMemory.Load(ref _control.Tail), capacity = Capacity;
        extent = Math.Min(extent, capacity);
        return capacity == long.MaxValue || tail + extent <= End(OldestNeeded(tail, extent, capacity), capacity);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Refresh(long position, long extent)
    {
        long capacity = Capacity, next = position + extent;
        if ((capacity != _seenCapacity || next > _limit) && !Look(position, extent, capacity))
        {
            return false;
        }
        _end = Math.Min(_limit, next + BytesPerLook);
        return true;
    }

    // Looks at the subscriptions, unless nothing depends on them.
    private bool Look(long position, long extent, long capacity)
    {
        long oldest = capacity == long.MaxValue && !_isSoft ? 0 : OldestNeeded(position, extent, capacity), end = End(oldest, capacity);
        bool isRoom = position + extent <= end;
        _limit = isRoom && Soft is not null ? Math.Min(end, Soft.Note(oldest, position + extent)) : end;
        _end = Math.Min(_end, _limit);
        _seenCapacity = capacity;
        return isRoom;
    }

    // Without any subscription nothing waits. After a capacity's worth of bytes it looks again whether one was made.
    private long OldestNeeded(long tail, long extent, long capacity)
    {
        long oldest = Math.Min(store.Subscriptions.OldestNeeded(), tail);
        return tail + extent <= End(oldest, capacity) ? oldest : store.Segments.BehindPadding(oldest);
    }

    private static long End(long oldest, long capacity) => oldest > long.MaxValue - capacity ? long.MaxValue : oldest + capacity;
}
