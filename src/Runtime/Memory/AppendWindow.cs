namespace BlitQueue.Memory;

/// <summary>
/// A part of a mapping to which one writer alone appends, slot by slot. The bounds of all slots were checked when the window was made.
/// </summary>
/// <remarks>Valid as long as the <see cref="MappedRegion"/> is.</remarks>
internal unsafe struct AppendWindow
{
    // Where the byte at position 0 of the log would be if it were mapped.
    private byte* _origin;
    private long _end;

    internal AppendWindow(byte* origin, long position, long end)
    {
        _origin = origin;
        Position = position;
        _end = end;
    }

    /// <summary>Where the next slot begins.</summary>
    public long Position { get; set; }

    /// <summary>Whether a slot of so many bytes behind its word still fits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool HasRoom(int length) => Position + PositionedMemory.WordAnd(length) <= _end;

    /// <summary>The next slot, for which there must be room (<see cref="HasRoom"/>).</summary>
    public readonly RecordSlot Slot
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(_origin + Position);
    }
}
