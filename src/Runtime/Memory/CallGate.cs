namespace BlitQueue.Memory;

/// <summary>
/// Knows which threads are inside a call on an object, so that mappings are unmapped only when no call can touch them. Entering costs two
/// plain stores and no atomic: the rare side (<see cref="Close"/>, <see cref="Snapshot"/>) pays with a process-wide fence.
/// </summary>
/// <remarks>
/// Enter stores the slot, then loads the closed mark. Close stores the mark, fences every thread of the process, then looks at the slots.
/// So either the call sees the mark or the closer sees the call.
/// </remarks>
/// <param name="release">Run once, when the gate is closed and no call is inside.</param>
/// <param name="disposed">Makes the exception for later calls; null for one that says that the queue was disposed.</param>
internal sealed unsafe class CallGate(Action release, Func<ObjectDisposedException>? disposed = null)
{
    // Milliseconds.
    private const int LongestWait = 1000;

    private static readonly TimeSpan LongestLeaving = TimeSpan.FromMilliseconds(500);

    private static long LastNumber;
    private static readonly List<WeakReference<CallSlot>> Slots = [];

    // The thread's current slot, to which its words belong. The reference also prevents the collection of the thread's slots.
    [ThreadStatic]
    private static CallSlot? ThreadSlot;

    // A pointer, because the runtime reaches a thread-static reference by three more loads, before the first lock of each call.
    [ThreadStatic]
    private static CallWords* ThreadWords;

    private readonly long _number = Interlocked.Increment(ref LastNumber);

    // Disposed never: the last call may set it later.
    private readonly ManualResetEventSlim _isOver = new(initialState: false, spinCount: 0);
    private bool _closed;
    private int _released;
    private long _mappings;

    /// <summary>The exception of calls that come after <see cref="Close"/>.</summary>
    public ObjectDisposedException Disposed() => disposed?.Invoke() ?? new ObjectDisposedException(null, "The queue was disposed.");

    /// <summary>Whether <see cref="Close"/> was called.</summary>
    public bool IsClosed => Volatile.Read(ref _closed);

    /// <summary>The same without any order, for a call whose slot already says that it is inside.</summary>
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

    /// <summary>The number that a slot contains while its owner is inside; its negative for a <see cref="LeafCall"/>. Never 0.</summary>
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
    public LongCall EnterLong()
    {
        Enter();
        CallSlot slot = ThreadSlot!;
        slot.LastMapping = long.MaxValue;
        slot.IsLong = true;
        return new LongCall(this, slot);
    }

    /// <summary>A number for something that is mapped now, greater than those before it.</summary>
    public long NumberMapping() => Interlocked.Increment(ref _mappings);

    /// <summary>Lets no further call in, and runs the release action once no call is inside: now, or when the last one leaves.</summary>
    public void Close()
    {
        Volatile.Write(ref _closed, true);
        ReleaseIfEmpty();
    }

    /// <summary>
    /// Waits until the release action of the closed gate has run, but no longer than half a second: a process that ends before that leaves
    /// its files behind. Does not wait where the calling thread is inside, because the action runs only when that has left.
    /// </summary>
    public void AwaitRelease()
    {
        if (!IsInside())
        {
            _isOver.Wait(LongestLeaving);
        }
    }

    // Whether the calling thread is inside of a call, of whatever depth.
    private bool IsInside()
    {
        CallSlot? slot = ThreadSlot;
        while (slot?.Outer is { } outer)
        {
            slot = outer;
        }
        while (slot is not null && !slot.IsInside(_number))
        {
            slot = slot.Inner;
        }
        return slot is not null;
    }

    /// <summary>Whether a call is inside that lasts until a span is given back.</summary>
    public bool HasLongCall
    {
        get
        {
            lock (Slots)
            {
                return Slots.Exists(reference => reference.TryGetTarget(out CallSlot? slot) && slot.IsInside(_number) && slot.IsLong);
            }
        }
    }

    /// <summary>
    /// The calls that are inside at this moment, except the caller's own. They may still use objects that were reachable when they entered.
    /// </summary>
    /// <param name="mapping">
    /// The number of what they may use. A long call that has settled uses nothing that was mapped later, however long it lasts.
    /// </param>
    public CallSnapshot Others(long mapping = 0) => Snapshot(ThreadSlot is { IsLong: false } own ? own : null, mapping);

    /// <summary>The same with the caller's own call, which may also still use what it found before.</summary>
    public CallSnapshot Everyone() => Snapshot(except: null);

    private CallSnapshot Snapshot(CallSlot? except, long mapping = 0)
    {
        Interlocked.MemoryBarrierProcessWide();
        var inside = new List<(CallSlot Slot, long Calls)>();
        lock (Slots)
        {
            foreach (WeakReference<CallSlot> reference in Slots)
            {
                if (reference.TryGetTarget(out CallSlot? slot) && slot != except && slot.IsInside(_number)
                    && !(slot.IsLong && slot.LastMapping < mapping))
                {
                    inside.Add((slot, slot.Calls));
                }
            }
        }
        return new CallSnapshot(_number, inside);
    }

    /// <summary>
    /// What the last call does when it leaves a closed gate. Leaf calls end without it, nanoseconds after they began: this waits for them.
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
        // The leaf call's thread does not run now.
        _ = Task.Run(() => DeferredRelease.Run(this));
    }

    /// <summary>The same, with one look and without waiting.</summary>
    /// <param name="awaitsOthers">Whether there are calls inside that will release the gate themselves when they end.</param>
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
            try
            {
                release();
            }
            finally
            {
                _isOver.Set();
            }
        }
        return true;
    }

    // A thread's first call, or a call inside another call (a setter that uses a second queue): each level has a slot of its own.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static CallWords* Deeper()
    {
        CallSlot? outer = ThreadSlot;
        // A long call may have ended before the one inside it, so the next slot need not be free.
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

    // A new slot, which closers read as long as it is reachable.
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

    // From now on the slot around the one that was left is the thread's current slot. Long calls end in any order, so the slot that was
    // left may be outside or inside of the current one.
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

    /// <summary>
    /// A call that <see cref="TryLeave"/> ends later, after the method that entered it has returned. Copies are the same call.
    /// </summary>
    internal readonly ref struct LongCall
    {
        private readonly CallGate? _gate;
        private readonly CallSlot? _slot;
        private readonly long _ticket;

        internal LongCall(CallGate gate, CallSlot slot)
        {
            _gate = gate;
            _slot = slot;
            _ticket = slot.Calls;
        }

        /// <summary>From now on the call uses nothing but what it has found.</summary>
        public void Settle() => _slot!.LastMapping = Volatile.Read(ref _gate!._mappings);

        /// <summary>Ends the call.</summary>
        /// <returns>false when it had ended already.</returns>
        public bool TryLeave()
        {
            if (_slot is null || _slot.Calls != _ticket || _slot.Gate == 0)
            {
                return false;
            }
            _slot.IsLong = false;
            new Call(_gate!, _slot.Words).Dispose();
            return true;
        }
    }
}
