namespace BlitQueue.Memory;

/// <summary>
/// A 64-bit word of a mapping, the bytes behind it, and the word behind those. The bounds of all three were checked at once
/// (<see cref="PositionedMemory.TryGetSlot"/>, <see cref="AppendWindow.Slot"/>).
/// </summary>
/// <remarks>
/// Valid as long as the <see cref="MappedRegion"/> is, and for no more bytes than were asked for. The length is not a field: as a constant
/// of the caller it costs the hot path nothing, as a field it would cost a register and comparisons.
/// </remarks>
internal readonly unsafe ref struct RecordSlot
{
    private readonly byte* _start;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal RecordSlot(byte* start) => _start = start;

    /// <summary>The word.</summary>
    public ref long Header => ref *(long*)_start;

    /// <summary>The bytes behind it, as many as the slot was made for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Payload(int length) => new(_start + sizeof(long), length);

    /// <summary>The word behind those bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref long HeaderBehind(int length) => ref *(long*)(_start + PositionedMemory.WordAnd(length));
}
