using BlitQueue.Memory;

namespace BlitQueue.Generated;

/// <summary>Members of a message whose members all have fixed sizes, at offsets that generated code knows.</summary>
/// <remarks>
/// Generated code compares the length of the span once, in front of all members, and offsets are constants: the JIT omits the comparison
/// in each call.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class FixedMessage
{
    /// <summary>Writes a member.</summary>
    /// <param name="destination">The message.</param>
    /// <param name="offset">Bytes from its start.</param>
    /// <param name="value">The member's value.</param>
    /// <exception cref="ArgumentOutOfRangeException">The member would not be wholly inside.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write<V>(Span<byte> destination, int offset, in V value)
        where V : unmanaged => Blit.Write(destination, offset, in value);

    /// <summary>Reads a member.</summary>
    /// <param name="source">The message.</param>
    /// <param name="offset">Bytes from its start.</param>
    /// <exception cref="ArgumentOutOfRangeException">The member is not wholly inside.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static V Read<V>(ReadOnlySpan<byte> source, int offset)
        where V : unmanaged => Blit.Read<V>(source, offset);
}
