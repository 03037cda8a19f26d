using System.Diagnostics;
using System.Runtime.CompilerServices;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// How far the log may grow under the capacity, cached: subscriptions are only looked at when the cached limit is reached.
/// </summary>
internal sealed class CapacityLimit(QueueStore store, QueueOptions options)
{
    // Of the capacity: a producer that spins anyway waits for so much, because every look at the consumers' positions
    // slows them, and this serves many messages.
    private const int Plenty = 16;

    // Processor pauses, about half a microsecond.
    private const int PausesPerLook = 16;

    private readonly ControlFile _control = store.Control;
    private readonly long _capacity = options.Capacity ?? long.MaxValue;
    private long _end = options.Capacity is null && options.SoftLimit is null ? long.MaxValue : 0;

    /// <summary>Says when more waits than <see cref="QueueOptions.SoftLimit"/>; null without one.</summary>
    public SoftLimitWatch? Soft { get; } = options.SoftLimit is { } limit ? new SoftLimitWatch(limit) : null;

    /// <summary>As far as the log may grow without another look at the subscriptions.</summary>
    public long KnownEnd => _end;

    /// <summary>Whether so many bytes may be appended at a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Allows(long position, long extent) => position + extent <= _end || Refresh(position, extent);

    /// <summary>
    /// The same of what goes over several segments: with its padding and their headers it may take more than the capacity, and goes in
    /// where nothing else waits.
    /// </summary>
    public bool AllowsStaged(long position, long extent) => Allows(position, Math.Min(extent, _capacity));

    /// <summary>Spins, then sleeps, until a consumer may have made room for so many bytes, or the token is cancelled.</summary>
    public void Wait(long extent, CallGate gate, CancellationToken cancellationToken)
    {
        if (SpinForRoom(Math.Max(extent, _capacity / Plenty), gate))
        {
            return;
        }
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
        long tail = MachineMemory.Load(ref _control.Tail);
        extent = Math.Min(extent, _capacity);
        return tail + extent <= End(OldestNeeded(tail, extent));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Refresh(long position, long extent)
    {
        long oldest = OldestNeeded(position, extent), end = End(oldest);
        if (position + extent > end)
        {
            _end = Math.Min(_end, end);
            return false;
        }
        _end = Soft is null ? end : Math.Min(end, Soft.Note(oldest, position + extent));
        return true;
    }

    // Without any subscription nothing waits; one that is made later is looked for again after a capacity's worth.
    private long OldestNeeded(long tail, long extent)
    {
        long oldest = Math.Min(store.Subscriptions.OldestNeeded(), tail);
        return tail + extent <= End(oldest) ? oldest : store.Segments.BehindPadding(oldest);
    }

    private long End(long oldest) => oldest > long.MaxValue - _capacity ? long.MaxValue : oldest + _capacity;
}
