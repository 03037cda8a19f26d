using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>
/// A stretch of a mapping that one writer goes along, alone, place by place: what can be checked for all places was checked when it began.
/// </summary>
/// <remarks>Valid as long as the <see cref="MappedRegion"/> is.</remarks>
internal unsafe struct HeldStretch
{
    // The byte at position 0 of the log, were it mapped.
    private byte* _origin;
    private long _end;

    internal HeldStretch(byte* origin, long position, long end)
    {
        _origin = origin;
        Position = position;
        _end = end;
    }

    /// <summary>Where the next place begins.</summary>
    public long Position { get; private set; }

    /// <summary>The next place, if it ends inside.</summary>
    /// <param name="length">Bytes behind its word; not negative.</param>
    /// <param name="place">The place.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryPlace(int length, out RecordPlace place)
    {
        place = new RecordPlace(_origin + Position);
        return Position + PositionedMemory.WordAnd(length) <= _end;
    }

    /// <summary>Goes behind the place that was given for so many bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int length) => Position += PositionedMemory.WordAnd(length);
}
