namespace BlitQueue.Memory;

/// <summary>Where one thread says which gate it is inside of. Written by its thread alone, read by who wants to unmap.</summary>
internal sealed class CallSlot
{
    /// <summary>The gate's number, 0 outside.</summary>
    public long Gate;

    /// <summary>How many calls this thread has entered; tells a later call from the one that was seen.</summary>
    public long Calls;

    /// <summary>The slot of the call around this one, on the same thread.</summary>
    public CallSlot? Outer;

    /// <summary>The slot for a call inside this one, made at the first.</summary>
    public CallSlot? Inner;

    // Keeps two threads' slots off one cache line (128 bytes, because processors fetch lines in pairs).
#pragma warning disable CS0169, IDE0051
    private readonly long _pad0, _pad1, _pad2, _pad3, _pad4, _pad5, _pad6, _pad7, _pad8, _pad9, _pad10, _pad11, _pad12, _pad13;
#pragma warning restore CS0169, IDE0051
}
