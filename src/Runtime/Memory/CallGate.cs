using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>
/// Knows which threads are inside a call on an object, so that mappings are only given back when no call can touch them. Entering costs
/// two plain stores and no atomic: the rare side (<see cref="Close"/>, <see cref="Snapshot"/>) pays with a process-wide fence.
/// </summary>
/// <remarks>
/// Enter stores the slot, then loads the closed mark. Close stores the mark, fences every thread of the process, then looks at the slots.
/// So either the call sees the mark or the closer sees the call.
/// </remarks>
internal sealed class CallGate(Action release)
{
    private static long LastNumber;
    private static readonly List<WeakReference<CallSlot>> Slots = [];

    [ThreadStatic]
    private static CallSlot? ThreadSlot;

    private readonly long _number = Interlocked.Increment(ref LastNumber);
    private bool _closed;
    private int _released;

    /// <summary>Whether <see cref="Close"/> was called.</summary>
    public bool IsClosed => Volatile.Read(ref _closed);

    /// <summary>Enters a call. Dispose the result when the call ends, on the same thread.</summary>
    /// <exception cref="ObjectDisposedException">The gate is closed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Call Enter()
    {
        CallSlot? slot = ThreadSlot;
        if (slot is null || slot.Gate != 0)
        {
            slot = Deeper(slot);
        }
        slot.Calls++;
        Volatile.Write(ref slot.Gate, _number);
        // Not Volatile: the closer's process-wide fence orders this load after the store above.
        if (_closed)
        {
            Refuse(slot);
        }
        return new Call(this, slot);
    }

    /// <summary>Lets no further call in, and runs the release action once no call is inside: now, or when the last one leaves.</summary>
    public void Close()
    {
        Volatile.Write(ref _closed, true);
        ReleaseIfEmpty();
    }

    /// <summary>
    /// The calls that are inside at this moment, but the caller's own; they may still use what was reachable when they entered.
    /// </summary>
    public CallSnapshot Others() => Snapshot(ThreadSlot);

    private CallSnapshot Snapshot(CallSlot? except)
    {
        Interlocked.MemoryBarrierProcessWide();
        var inside = new List<(CallSlot Slot, long Calls)>();
        lock (Slots)
        {
            foreach (WeakReference<CallSlot> reference in Slots)
            {
                if (reference.TryGetTarget(out CallSlot? slot) && slot != except && Volatile.Read(ref slot.Gate) == _number)
                {
                    inside.Add((slot, Volatile.Read(ref slot.Calls)));
                }
            }
        }
        return new CallSnapshot(_number, inside);
    }

    private void ReleaseIfEmpty()
    {
        if (Snapshot(except: null).IsOver && Interlocked.Exchange(ref _released, 1) == 0)
        {
            release();
        }
    }

    // A thread's first call, or a call inside another call (a setter that uses a second queue): each level has a slot of its own.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static CallSlot Deeper(CallSlot? outer)
    {
        CallSlot slot = outer?.Inner ?? new CallSlot { Outer = outer };
        if (outer is not null)
        {
            outer.Inner = slot;
        }
        lock (Slots)
        {
            Slots.RemoveAll(static reference => !reference.TryGetTarget(out _));
            if (!Slots.Exists(reference => reference.TryGetTarget(out CallSlot? known) && known == slot))
            {
                Slots.Add(new WeakReference<CallSlot>(slot));
            }
        }
        return ThreadSlot = slot;
    }

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Refuse(CallSlot slot)
    {
        Leave(slot);
        ReleaseIfEmpty();
        throw new ObjectDisposedException(null, "The queue was disposed.");
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Leave(CallSlot slot)
    {
        Volatile.Write(ref slot.Gate, 0);
        if (slot.Outer is not null)
        {
            ThreadSlot = slot.Outer;
        }
    }

    /// <summary>One call inside the gate.</summary>
    internal readonly ref struct Call(CallGate gate, CallSlot slot)
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Dispose()
        {
            Leave(slot);
            if (gate._closed)
            {
                gate.ReleaseIfEmpty();
            }
        }
    }
}
