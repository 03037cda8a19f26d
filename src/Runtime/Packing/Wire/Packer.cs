namespace BlitQueue;

/// <summary>Packs messages to bytes and back, without a queue.</summary>
/// <example>
/// <code>
/// byte[] bytes = Packer.Pack(in order);
/// Order? copy = Packer.Unpack&lt;Order&gt;(bytes);
/// Packer.Unpack(otherBytes, ref copy);        // fills the same instance
/// </code>
/// </example>
public static class Packer
{
    // Gets no bytes: the packed bytes are taken out of the writer, which is always abandoned afterwards. A writer without a destination
    // packs for the log, which treats long messages in another way.
    internal static readonly IBufferWriter<byte> Nowhere = new NoBuffer();

    // Bytes on the stack, so that most messages need no scratch buffer.
    private const int ShortMessage = 512;

    /// <summary>Packs a message into a new array.</summary>
    /// <param name="value">The message; null becomes the null mark.</param>
    /// <returns>The packed bytes.</returns>
    /// <exception cref="PackException">The message cannot be packed: nested too deep, or too large.</exception>
    [SkipLocalsInit]
    public static byte[] Pack<T>(in T? value)
        where T : IPackable<T>
    {
        var writer = new PackWriter(Nowhere, stackalloc byte[ShortMessage]);
        try
        {
            T.Pack(ref writer, in value);
            return writer.Packed.ToArray();
        }
        finally
        {
            writer.Abandon();
        }
    }

    /// <summary>Packs a message into what the destination offers. Nothing is handed over when packing fails.</summary>
    /// <param name="destination">Receives the packed bytes.</param>
    /// <param name="value">The message; null becomes the null mark.</param>
    /// <exception cref="PackException">The message cannot be packed: nested too deep, or too large.</exception>
    public static void Pack<T>(IBufferWriter<byte> destination, in T? value)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(destination);
        var writer = new PackWriter(destination);
        try
        {
            T.Pack(ref writer, in value);
            writer.Complete();
        }
        finally
        {
            writer.Abandon();
        }
    }

    /// <summary>Unpacks a new message from exactly these bytes.</summary>
    /// <param name="source">The packed bytes and nothing else.</param>
    /// <returns>The message; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no such message, or bytes are left over.</exception>
    public static T? Unpack<T>(ReadOnlySpan<byte> source)
        where T : IPackable<T>
    {
        T? value = default;
        int read = Unpack(source, ref value);
        if (read != source.Length)
        {
            PackException.ThrowLeftOver(read, source.Length - read);
        }

        return value;
    }

    /// <summary>Unpacks into the given instance if there is one, and ignores the bytes behind the message.</summary>
    /// <param name="source">Bytes that begin with a packed message.</param>
    /// <param name="value">The instance to fill, or null. After an exception it is usable, with unspecified content.</param>
    /// <returns>How many bytes the message took.</returns>
    /// <exception cref="PackException">The bytes are no such message.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Unpack<T>(ReadOnlySpan<byte> source, ref T? value)
        where T : IPackable<T>
    {
        var reader = new PackReader(source);
        bool isWhole = false;
        try
        {
            T.Unpack(ref reader, ref value);
            isWhole = true;
        }
        finally
        {
            if (!isWhole)
            {
                PackException.LocateThrown<T>(source);
            }
        }

        return reader.Position;
    }

    /// <summary>Unpacks a new message from exactly these bytes, in one segment or several.</summary>
    /// <param name="source">The packed bytes and nothing else.</param>
    /// <returns>The message; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no such message, or bytes are left over.</exception>
    public static T? Unpack<T>(in ReadOnlySequence<byte> source)
        where T : IPackable<T>
    {
        T? value = default;
        int read = Unpack(in source, ref value);
        if (read != source.Length)
        {
            PackException.ThrowLeftOver(read, source.Length - read);
        }

        return value;
    }

    /// <summary>
    /// Unpacks into the given instance if there is one, from bytes in one segment or several; several segments are copied once.
    /// </summary>
    /// <param name="source">Bytes that begin with a packed message.</param>
    /// <param name="value">The instance to fill, or null. After an exception it is usable, with unspecified content.</param>
    /// <returns>How many bytes the message took.</returns>
    /// <exception cref="PackException">The bytes are no such message, or are more than an array can have.</exception>
    public static int Unpack<T>(in ReadOnlySequence<byte> source, ref T? value)
        where T : IPackable<T>
    {
        if (source.IsSingleSegment)
        {
            return Unpack(source.FirstSpan, ref value);
        }

        if (source.Length > Array.MaxLength)
        {
            PackException.ThrowTooLarge(source.Length);
        }

        byte[] bytes = ArrayPool<byte>.Shared.Rent((int)source.Length);
        try
        {
            source.CopyTo(bytes);
            return Unpack(bytes.AsSpan(0, (int)source.Length), ref value);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    // It offers no room: the room of one buffer for all threads would be that of two messages at a time.
    private sealed class NoBuffer : IBufferWriter<byte>
    {
        public void Advance(int count) => throw new NotSupportedException();

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException();

        public Span<byte> GetSpan(int sizeHint = 0) => throw new NotSupportedException();
    }
}
