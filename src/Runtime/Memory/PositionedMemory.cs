using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>
/// A mapping whose size is a power of two, addressed by positions of a longer log. The mask keeps every word inside the mapping, whatever
/// the position: no comparison is needed, and none can be forgotten.
/// </summary>
/// <remarks>Valid as long as its <see cref="MappedRegion"/> is.</remarks>
internal readonly unsafe struct PositionedMemory
{
    private const long WordMask = ~7L;

    private readonly byte* _start;
    private readonly long _mask;

    internal PositionedMemory(byte* start, long size)
    {
        _start = start;
        _mask = size - 1;
    }

    /// <summary>Where a position is, in bytes from the mapping's start.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long OffsetOf(long position) => position & _mask;

    /// <summary>The 64-bit word at a position that is a multiple of 8.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref long Word(long position) => ref *(long*)(_start + (position & _mask & WordMask));

    /// <summary>Bytes from a position on; as many as asked for, refused where they would leave the mapping.</summary>
    /// <exception cref="InvalidOperationException">They would.</exception>
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

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ThrowOutside(long offset, int length) =>
        throw new InvalidOperationException($"{length} bytes at {offset} are outside a mapping of {_mask + 1} bytes.");
}
