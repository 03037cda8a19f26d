using BlitQueue.Memory;

namespace BlitQueue.Generated;

/// <summary>
/// The fixed block of the message just begun, and how many variables follow it. Both are the writer's numbers, not the reader's.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct FixedBlockReader
{
    private readonly ReadOnlySpan<byte> _block;
    private readonly int _origin;

    internal FixedBlockReader(ReadOnlySpan<byte> block, int origin, int variableCount)
    {
        _block = block;
        _origin = origin;
        VariableCount = variableCount;
    }

    /// <summary>The block's size in bytes, 0 to 65534.</summary>
    public int FixedLength
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _block.Length;
    }

    /// <summary>How many variables follow the block, 0 to 65534.</summary>
    public int VariableCount { get; }

    /// <summary>Reads a value of a fixed-size kind.</summary>
    /// <param name="offset">Bytes from the block's start.</param>
    /// <returns>A valid value of its type.</returns>
    /// <exception cref="PackException">The value is not wholly inside the block, or no valid value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V Read<V>(int offset)
        where V : unmanaged => FixedFormat.Read<V>(_block, offset, _origin);

    /// <summary>Reads a value behind its byte of presence.</summary>
    /// <param name="offset">Bytes from the block's start.</param>
    /// <returns>The value or null.</returns>
    /// <exception cref="PackException">The slot is not wholly inside the block, or contains no valid value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V? ReadNullable<V>(int offset)
        where V : unmanaged => FixedFormat.ReadNullable<V>(_block, offset, _origin);

    /// <summary>Whether the writer knew the member at this offset.</summary>
    /// <param name="offset">Bytes from the block's start.</param>
    /// <returns>True when the value is wholly inside the block, false when it is wholly outside.</returns>
    /// <exception cref="PackException">The block ends inside the value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Has<V>(int offset)
        where V : unmanaged => Has(_block.Length, _origin, offset, FixedFormat.Size<V>());

    /// <summary>Whether the writer knew the nullable member at this offset.</summary>
    /// <param name="offset">Bytes from the block's start.</param>
    /// <returns>True when the slot is wholly inside the block, false when it is wholly outside.</returns>
    /// <exception cref="PackException">The block ends inside the slot.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool HasNullable<V>(int offset)
        where V : unmanaged => Has(_block.Length, _origin, offset, 1 + FixedFormat.Size<V>());

    // Static, and with parameters by value: a call that takes this block's address would prevent the JIT from holding it in registers.
    private static bool Has(int length, int origin, int offset, int size)
    {
        if (offset >= length)
        {
            return false;
        }

        if (length - offset < size)
        {
            PackException.ThrowMemberCut(origin + offset, size, length - offset);
        }

        return true;
    }
}
