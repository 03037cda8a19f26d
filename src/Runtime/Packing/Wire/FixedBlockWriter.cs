using BlitQueue.Memory;

namespace BlitQueue.Generated;

/// <summary>The fixed block of the message just begun: its fixed-size members at their offsets. Zero where nothing is written.</summary>
/// <remarks>Write it before anything else: once the writer has written more, the block may be a copy that is never read.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct FixedBlockWriter
{
    private readonly Span<byte> _block;

    internal FixedBlockWriter(Span<byte> block) => _block = block;

    /// <summary>Writes a value of a fixed-size kind.</summary>
    /// <param name="offset">Bytes from the block's start.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="ArgumentOutOfRangeException">The value would not be wholly inside the block.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<V>(int offset, V value)
        where V : unmanaged
    {
        if (!FixedFormat.TryWrite(_block, offset, value))
        {
            ThrowOutside(offset, FixedFormat.Size<V>(), _block.Length);
        }
    }

    /// <summary>Writes one byte of presence and the value, zeros for null.</summary>
    /// <param name="offset">Bytes from the block's start.</param>
    /// <param name="value">The value or null.</param>
    /// <exception cref="ArgumentOutOfRangeException">Presence and value would not be wholly inside the block.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteNullable<V>(int offset, V? value)
        where V : unmanaged
    {
        if (!FixedFormat.TryWriteNullable(_block, offset, value))
        {
            ThrowOutside(offset, 1 + FixedFormat.Size<V>(), _block.Length);
        }
    }

    [DoesNotReturn]
    private static void ThrowOutside(int offset, int size, int length)
        => throw new ArgumentOutOfRangeException(
            nameof(offset), offset, $"A value of {size} bytes there leaves the fixed block of {length} bytes.");
}
