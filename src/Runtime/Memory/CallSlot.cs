using System.Runtime.InteropServices;

namespace BlitQueue.Memory;

/// <summary>
/// Where one thread says which gate it is inside of. Written by its thread alone, read by the thread that wants to unmap.
/// </summary>
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

    /// <summary>Whether what is inside ends when the caller says so: then it is never the call that just runs.</summary>
    public bool IsStay { get; set; }

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
