namespace BlitQueue.Memory;

/// <summary>The words of a <see cref="CallSlot"/>, in memory that does not move, so that a thread reaches its own with one load.</summary>
/// <remarks>128 bytes, because processors fetch lines of 64 bytes in pairs: two threads' words share none.</remarks>
[StructLayout(LayoutKind.Sequential, Size = Size)]
internal unsafe struct CallWords
{
    public const int Size = 128;

    /// <summary>The gate's number, 0 outside.</summary>
    public long Gate;

    /// <summary>How many calls this thread has entered; tells a later call from the one that was seen.</summary>
    public long Calls;

    /// <summary>The words of the call around this one, on the same thread; null for the outermost.</summary>
    public CallWords* Outer;
}
