using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>A 64-bit word of one object of this process, at an address that stays: it can stand where one of a mapping is asked for.</summary>
internal sealed unsafe class OwnWord
{
    // A line of its own.
    private readonly long[] _word = GC.AllocateArray<long>(2 * Middle, pinned: true);
    private const int Middle = 16;

    /// <summary>Valid as long as this object is reachable.</summary>
    public SharedWord<long> Word => new((long*)Unsafe.AsPointer(ref _word[Middle]));
}
