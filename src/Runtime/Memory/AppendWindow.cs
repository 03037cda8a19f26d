using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>
/// A stretch of a mapping that one writer goes along, alone, place by place: what can be checked for all places was checked when it began.
/// </summary>
/// <remarks>Valid as long as the <see cref="MappedRegion"/> is.</remarks>
internal unsafe struct AppendWindow
{
    // The byte at position 0 of the log, were it mapped.
    private byte* _origin;
    private long _end;

    internal AppendWindow(byte* origin, long position, long end)
    {
        _origin = origin;
        Position = position;
        _end = end;
    }

    /// <summary>Where the next place begins.</summary>
    public long Position { get; set; }

    /// <summary>Whether the next place ends inside, with so many bytes behind its word.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool HasRoom(int length) => Position + PositionedMemory.WordAnd(length) <= _end;

    /// <summary>The next place, which <see cref="HasRoom"/>.</summary>
    public readonly RecordSlot Slot
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(_origin + Position);
    }
}
