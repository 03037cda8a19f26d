namespace BlitQueue.Memory;

/// <summary>Says which gate one thread is inside of. Only that thread writes it; a thread that wants to unmap reads it.</summary>
internal sealed unsafe class CallSlot
{
    public CallSlot(CallSlot? outer)
    {
        Outer = outer;
        Words = (CallWords*)NativeMemory.AlignedAlloc(CallWords.Size, CallWords.Size);
        *Words = default(CallWords) with { Outer = outer is null ? null : outer.Words };
    }

    ~CallSlot() => NativeMemory.AlignedFree(Words);

    /// <summary>Valid as long as this object is reachable.</summary>
    public CallWords* Words { get; }

    /// <summary>Whether its call is one that ends later: then it is never the call that is running.</summary>
    public bool IsLong
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>
    /// Of a long call: the number of the last thing that was mapped when the call had found all that it uses; before that the greatest
    /// number. Written before <see cref="IsLong"/> says that there is such a call.
    /// </summary>
    public long LastMapping
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>The slot of the call around this one, on the same thread.</summary>
    public CallSlot? Outer { get; }

    /// <summary>The slot for a call inside this one, made at the first.</summary>
    public CallSlot? Inner { get; set; }

    /// <summary>The gate's number, 0 outside, with acquire order.</summary>
    public long Gate
    {
        get
        {
            long gate = Volatile.Read(ref Words->Gate);
            GC.KeepAlive(this);
            return gate;
        }
    }

    /// <summary>Whether its owner is inside of the gate with this number.</summary>
    public bool IsInside(long gate) => Gate is var now && (now == gate || now == -gate);

    /// <summary>As the words say, with acquire order.</summary>
    public long Calls
    {
        get
        {
            long calls = Volatile.Read(ref Words->Calls);
            GC.KeepAlive(this);
            return calls;
        }
    }
}
