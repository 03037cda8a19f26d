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
/// <param name="release">Run once, when the gate is closed and no call is inside.</param>
/// <param name="disposed">What a call gets that comes later; null: that the queue was disposed.</param>
internal sealed unsafe class CallGate(Action release, Func<ObjectDisposedException>? disposed = null)
{
    // Milliseconds.
    private const int LongestWait = 1000;

    private static long LastNumber;
    private static readonly List<WeakReference<CallSlot>> Slots = [];

    // Keeps the thread's slots alive, and is the one that its words are of.
    [ThreadStatic]
    private static CallSlot? ThreadSlot;

    // No reference: the runtime keeps those behind three more loads, which would all come before the first lock of a call.
    [ThreadStatic]
    private static CallWords* ThreadWords;

    private readonly long _number = Interlocked.Increment(ref LastNumber);
    private bool _closed;
    private int _released;

    /// <summary>The exception of calls that come after <see cref="Close"/>.</summary>
    public ObjectDisposedException Disposed() => disposed?.Invoke() ?? new ObjectDisposedException(null, "The queue was disposed.");

    /// <summary>Whether <see cref="Close"/> was called.</summary>
    public bool IsClosed => Volatile.Read(ref _closed);

    /// <summary>The same without any order: for a call that has said before that it is inside.</summary>
    public bool IsMarkedClosed
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _closed;
    }

    /// <summary>The words of the calling thread's slot; null before its first call.</summary>
    public static CallWords* OwnWords
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ThreadWords;
    }

    /// <summary>What a slot says when its owner is inside, less than 0 for a <see cref="LeafCall"/>; never 0.</summary>
    public long Number => _number;

    /// <summary>Enters a call. Dispose the result when the call ends, on the same thread.</summary>
    /// <exception cref="ObjectDisposedException">The gate is closed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Call Enter()
    {
        CallWords* words = ThreadWords;
        if (words == null || words->Gate != 0)
        {
            words = Deeper();
        }
        words->Calls++;
        Volatile.Write(ref words->Gate, _number);
        // Not Volatile: the closer's process-wide fence orders this load after the store above.
        if (_closed)
        {
            Refuse(words);
        }
        return new Call(this, words);
    }

    /// <summary>
    /// Enters a call that lasts until a span of the mapping is given back. Calls of one thread may end in any order; ending one twice is
    /// harmless.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The gate is closed.</exception>
    public Stay EnterToStay()
    {
        Enter();
        CallSlot slot = ThreadSlot!;
        slot.IsStay = true;
        return new Stay(this, slot);
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
    public CallSnapshot Others() => Snapshot(ThreadSlot is { IsStay: false } own ? own : null);

    /// <summary>All of them, the caller's own too: what it found before may be in its hands still.</summary>
    public CallSnapshot Everyone() => Snapshot(except: null);

    private CallSnapshot Snapshot(CallSlot? except)
    {
        Interlocked.MemoryBarrierProcessWide();
        var inside = new List<(CallSlot Slot, long Calls)>();
        lock (Slots)
        {
            foreach (WeakReference<CallSlot> reference in Slots)
            {
                if (reference.TryGetTarget(out CallSlot? slot) && slot != except && slot.IsInside(_number))
                {
                    inside.Add((slot, slot.Calls));
                }
            }
        }
        return new CallSnapshot(_number, inside);
    }

    /// <summary>
    /// What the last one to leave a closed gate does. Plain calls end without it, nanoseconds after they began: they are waited for.
    /// </summary>
    public void ReleaseIfEmpty()
    {
        long started = Environment.TickCount64;
        for (var spin = default(SpinWait); Environment.TickCount64 - started < LongestWait; spin.SpinOnce())
        {
            if (TryRelease(out bool awaitsOthers) || awaitsOthers)
            {
                return;
            }
        }
        // A thread that does not run.
        _ = Task.Run(() => DeferredRelease.Run(this));
    }

    /// <summary>The same by one look, without waiting.</summary>
    /// <param name="awaitsOthers">Whether calls are inside that will look themselves when they end.</param>
    /// <returns>Whether no call is inside.</returns>
    public bool TryRelease(out bool awaitsOthers)
    {
        CallSnapshot inside = Snapshot(except: null);
        awaitsOthers = inside.AwaitsOthers;
        if (!inside.IsOver)
        {
            return false;
        }
        if (Interlocked.Exchange(ref _released, 1) == 0)
        {
            release();
        }
        return true;
    }

    // A thread's first call, or a call inside another call (a setter that uses a second queue): each level has a slot of its own.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static CallWords* Deeper()
    {
        CallSlot? outer = ThreadSlot;
        // A stay may have been left before the one inside it, so the next slot need not be free.
        while (outer?.Inner is { } inner)
        {
            if (inner.Gate == 0)
            {
                return Use(inner);
            }
            outer = inner;
        }
        CallSlot slot = AddSlot(outer);
        if (outer is not null)
        {
            outer.Inner = slot;
        }
        return Use(slot);
    }

    // A new slot, which closers look at as long as it is reachable.
    private static CallSlot AddSlot(CallSlot? outer)
    {
        var slot = new CallSlot(outer);
        lock (Slots)
        {
            Slots.RemoveAll(static reference => !reference.TryGetTarget(out _));
            Slots.Add(new WeakReference<CallSlot>(slot));
        }
        return slot;
    }

    private static CallWords* Use(CallSlot slot)
    {
        ThreadSlot = slot;
        return ThreadWords = slot.Words;
    }

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Refuse(CallWords* words)
    {
        Leave(words);
        ReleaseIfEmpty();
        throw Disposed();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Leave(CallWords* words)
    {
        Volatile.Write(ref words->Gate, 0);
        if (words->Outer != null)
        {
            LeaveInner(words);
        }
    }

    // The slot around the one that was left is the thread's from now on. Stays end in any order, so it
    // may be either side of the present one.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LeaveInner(CallWords* words)
    {
        CallSlot slot = ThreadSlot!;
        while (slot.Outer is { } outer)
        {
            slot = outer;
        }
        while (slot.Words != words->Outer)
        {
            slot = slot.Inner!;
        }
        Use(slot);
    }

    /// <summary>One call inside the gate.</summary>
    internal readonly ref struct Call(CallGate gate, CallWords* words)
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Dispose()
        {
            Leave(words);
            if (gate._closed)
            {
                gate.ReleaseIfEmpty();
            }
        }
    }

    /// <summary>A call whose end the caller's caller decides. Copies are the same stay.</summary>
    internal readonly ref struct Stay
    {
        private readonly CallGate? _gate;
        private readonly CallSlot? _slot;
        private readonly long _ticket;

        internal Stay(CallGate gate, CallSlot slot)
        {
            _gate = gate;
            _slot = slot;
            _ticket = slot.Calls;
        }

        /// <summary>Ends the stay.</summary>
        /// <returns>false when it had ended already.</returns>
        public bool TryLeave()
        {
            if (_slot is null || _slot.Calls != _ticket || _slot.Gate == 0)
            {
                return false;
            }
            _slot.IsStay = false;
            new Call(_gate!, _slot.Words).Dispose();
            return true;
        }
    }
}
