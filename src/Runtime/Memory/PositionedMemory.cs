namespace BlitQueue.Memory;

/// <summary>
/// A mapping whose size is a power of two, addressed by positions of a longer log. The mask makes every position an offset inside the
/// mapping, so that no comparison is needed, and none can be forgotten.
/// </summary>
/// <remarks>Valid as long as its <see cref="MappedRegion"/> is.</remarks>
internal readonly unsafe struct PositionedMemory
{
    /// <summary>The most bytes of a slot: even the smallest mapping has room for it.</summary>
    public const int LongestSlot = SmallestSize - (4 * sizeof(long));

    private const int SmallestSize = 1 << 16;
    private const long WordMask = ~7L;

    private readonly byte* _start;
    private readonly long _mask;
    private readonly long _first;

    internal PositionedMemory(byte* start, long size, long first)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(size, SmallestSize);
        _start = start;
        _mask = size - 1;
        _first = first;
    }

    /// <summary>Where a position is, in bytes from the mapping's start.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long OffsetOf(long position) => position & _mask;

    /// <summary>The 64-bit word at a position that is a multiple of 8.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref long Word(long position) => ref *(long*)(_start + (position & _mask & WordMask));

    /// <summary>So many bytes from a position on.</summary>
    /// <exception cref="InvalidOperationException">They would leave the mapping.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Bytes(long position, int length)
    {
        long offset = position & _mask;
        if ((ulong)(uint)length > (ulong)(_mask + 1 - offset))
        {
            ThrowOutside(offset, length);
        }
        return new Span<byte>(_start + offset, length);
    }

    /// <summary>The word at a position, so many bytes behind it, and the word behind those, padded to 8 bytes.</summary>
    /// <param name="position">A multiple of 8.</param>
    /// <param name="length">Not negative.</param>
    /// <param name="slot">The three.</param>
    /// <returns>false if they are not all in this mapping, or the length is more than <see cref="LongestSlot"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetSlot(long position, int length, out RecordSlot slot)
    {
        Debug.Assert((position & ~WordMask) == 0, "A word that crosses its natural boundary is not read or written in one piece.");
        long offset = position - _first;
        slot = new RecordSlot(_start + offset);
        // As an unsigned number, an offset in front of the mapping is far behind it.
        return length <= LongestSlot && (ulong)offset <= (ulong)(_mask + 1 - sizeof(long) - WordAnd(length));
    }

    /// <summary>
    /// The part between two positions, for one writer alone, with room for a word behind it; empty if it would leave the mapping.
    /// </summary>
    /// <param name="position">A multiple of 8.</param>
    /// <param name="end">Where slots must end; earlier if the mapping ends before.</param>
    public AppendWindow Window(long position, long end) => position >= _first && position <= _first + _mask
        ? new AppendWindow(_start - _first, position, Math.Min(end, _first + _mask + 1 - sizeof(long)))
        : default;

    /// <summary>Bytes of a word and of so many bytes behind it, padded up to the next word.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static long WordAnd(int length) => sizeof(long) + (((long)length + sizeof(long) - 1) & WordMask);

    /// <summary>So many bytes behind the 64-bit word at a position.</summary>
    /// <exception cref="InvalidOperationException">They would leave the mapping.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> BytesBehindWord(long position, int length)
    {
        long offset = (position & _mask) + sizeof(long);
        if ((ulong)(uint)length + (ulong)offset > (ulong)_mask + 1)
        {
            ThrowOutside(offset, length);
        }
        return MemoryMarshal.CreateSpan(ref *(_start + offset), length);
    }

    [DoesNotReturn]
    private void ThrowOutside(long offset, int length) =>
        throw new InvalidOperationException($"{length} bytes at {offset} are outside a mapping of {_mask + 1} bytes.");
}
