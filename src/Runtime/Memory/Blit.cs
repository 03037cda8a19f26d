namespace BlitQueue.Memory;

/// <summary>
/// Moves unmanaged values between variables and bytes. Every method checks its own bounds: no caller can make one unsafe.
/// </summary>
/// <remarks>Bytes are little-endian and unaligned; on a big-endian machine the packing floor refuses to start.</remarks>
internal static class Blit
{
    /// <summary>Refuses any other machine; a constant to the JIT.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void RequireLittleEndian()
    {
        if (!BitConverter.IsLittleEndian)
        {
            throw new PlatformNotSupportedException("BlitQueue runs on little-endian machines only.");
        }
    }

    /// <summary>The size of <typeparamref name="V"/> in memory, in bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SizeOf<V>()
        where V : unmanaged => Unsafe.SizeOf<V>();

    /// <summary>The size of a variable of type <typeparamref name="T"/>: of a reference, that of the reference.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SizeOfAny<T>() => Unsafe.SizeOf<T>();

    /// <summary>The same bits as another type of the same size; another size is a <see cref="NotSupportedException"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TTo Cast<TFrom, TTo>(TFrom value)
        where TFrom : unmanaged
        where TTo : unmanaged => Unsafe.BitCast<TFrom, TTo>(value);

    /// <summary>Stores a value at a byte offset; false, with nothing written, when it would not be wholly inside.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryWrite<V>(Span<byte> destination, int offset, V value)
        where V : unmanaged
    {
        if (!Fits(destination.Length, offset, Unsafe.SizeOf<V>()))
        {
            return false;
        }

        Unsafe.WriteUnaligned(ref Unsafe.Add(ref MemoryMarshal.GetReference(destination), (uint)offset), value);
        return true;
    }

    /// <summary>Loads a value from a byte offset, reading each byte once; false when it is not wholly inside.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryRead<V>(ReadOnlySpan<byte> source, int offset, out V value)
        where V : unmanaged
    {
        if (!Fits(source.Length, offset, Unsafe.SizeOf<V>()))
        {
            value = default;
            return false;
        }

        value = Unsafe.ReadUnaligned<V>(ref Unsafe.Add(ref MemoryMarshal.GetReference(source), (uint)offset));
        return true;
    }

    /// <summary>Stores a value at a byte offset. The value is passed by reference, so that a large one is copied once.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It would not be wholly inside; nothing was written.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write<V>(Span<byte> destination, int offset, in V value)
        where V : unmanaged
    {
        if (!Fits(destination.Length, offset, Unsafe.SizeOf<V>()))
        {
            ThrowOutside();
        }

        Unsafe.WriteUnaligned(ref Unsafe.Add(ref MemoryMarshal.GetReference(destination), (uint)offset), value);
    }

    /// <summary>Loads a value from a byte offset, reading each byte once; a large one is copied once.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is not wholly inside.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static V Read<V>(ReadOnlySpan<byte> source, int offset)
        where V : unmanaged
    {
        if (!Fits(source.Length, offset, Unsafe.SizeOf<V>()))
        {
            ThrowOutside();
        }

        return Unsafe.ReadUnaligned<V>(ref Unsafe.Add(ref MemoryMarshal.GetReference(source), (uint)offset));
    }

    private static void ThrowOutside() => throw new ArgumentOutOfRangeException("offset");

    /// <summary>
    /// Stores a 4-byte header at a byte offset and hands out the zeroed <paramref name="length"/> bytes behind it, with one check for
    /// both; false, with nothing written, when they do not fit.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryClaim(Span<byte> room, int offset, uint header, int length, out Span<byte> block)
    {
        if (length < 0 || (ulong)(uint)offset + sizeof(uint) + (uint)length > (uint)room.Length)
        {
            block = default;
            return false;
        }

        ref byte start = ref Unsafe.Add(ref MemoryMarshal.GetReference(room), (uint)offset);
        Unsafe.WriteUnaligned(ref start, header);
        block = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, sizeof(uint)), length);
        block.Clear();
        return true;
    }

    /// <summary>
    /// The bytes from <paramref name="offset"/> on, <paramref name="length"/> of them; false when they are not wholly inside.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TrySlice(ReadOnlySpan<byte> source, int offset, uint length, out ReadOnlySpan<byte> slice)
    {
        if ((ulong)(uint)offset + length > (uint)source.Length)
        {
            slice = default;
            return false;
        }

        slice = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref MemoryMarshal.GetReference(source), (uint)offset), (int)length);
        return true;
    }

    /// <summary>The values' own bytes. More than <see cref="int.MaxValue"/> of them is an <see cref="OverflowException"/>.</summary>
    public static ReadOnlySpan<byte> AsBytes<V>(ReadOnlySpan<V> values)
        where V : unmanaged => MemoryMarshal.AsBytes(values);

    /// <summary>
    /// The values' own bytes, writable: only for types where every bit pattern is a valid value, or where the caller checks afterwards.
    /// </summary>
    public static Span<byte> AsBytes<V>(Span<V> values)
        where V : unmanaged => MemoryMarshal.AsBytes(values);

    /// <summary>The bytes seen as values, unaligned; bytes at the end that make no whole value are left out.</summary>
    public static ReadOnlySpan<V> View<V>(ReadOnlySpan<byte> bytes)
        where V : unmanaged => MemoryMarshal.Cast<byte, V>(bytes);

    /// <summary>
    /// Whether <paramref name="size"/> bytes from <paramref name="offset"/> on are inside
    /// <paramref name="length"/> bytes; false for a negative offset.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Fits(int length, int offset, int size) => (ulong)(uint)offset + (uint)size <= (uint)length;

    /// <summary>How many bytes there are from the start of mapped memory to the end of its page.</summary>
    public static int BytesToPageEnd(Span<byte> mapped)
    {
        nint address = Unsafe.ByteOffset(ref Unsafe.NullRef<byte>(), ref MemoryMarshal.GetReference(mapped));
        return Environment.SystemPageSize - (int)(address & (Environment.SystemPageSize - 1));
    }
}
