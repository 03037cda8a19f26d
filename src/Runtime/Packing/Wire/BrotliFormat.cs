using System.IO.Compression;

namespace BlitQueue;

/// <summary>Brotli streams of a known length.</summary>
internal static class BrotliFormat
{
    /// <summary>What faults call it.</summary>
    public const string Name = "Brotli stream";

    /// <summary>From 0 to 11. 4 compresses about as fast as a disk delivers the bytes.</summary>
    public const int Quality = 4;

    /// <summary>The window's size, as a power of two in bytes.</summary>
    public const int Window = 22;

    /// <summary>
    /// Up to so many times its compressed size a stream's announced length is believed; a longer one is checked before memory is allocated.
    /// </summary>
    public const int UsualRatio = 16;

    /// <summary>How many bytes of memory one byte of the stream's content takes if the content is bytes.</summary>
    public const int BytesInMemory = 1;

    /// <summary>The same if it is text: a char, and the byte in the buffer from which it is decoded.</summary>
    public const int TextInMemory = 3;

    // Above this length all buffers have the largest size: buffers of many sizes would together take twice the memory of the text.
    private const int LargestOfItsSize = 1 << 20;

    private const int ChunkSize = 32 * 1024;

    /// <summary>How large a buffer to rent for text of so many bytes.</summary>
    public static int BufferFor(int length, int maxLength) => length > LargestOfItsSize ? maxLength : length;

    /// <summary>Whether the stream contains so many bytes and nothing follows it. The bytes are counted and not stored.</summary>
    public static bool Yields(ReadOnlySpan<byte> source, int length)
    {
        byte[] chunk = ArrayPool<byte>.Shared.Rent(ChunkSize);
        var decoder = default(BrotliDecoder);
        try
        {
            for (int left = length; ;)
            {
                OperationStatus status = decoder.Decompress(source, chunk, out int read, out int written);
                source = source[read..];
                left -= written;
                if (status != OperationStatus.DestinationTooSmall || left < 0)
                {
                    return status == OperationStatus.Done && left == 0 && source.IsEmpty;
                }
            }
        }
        finally
        {
            decoder.Dispose();
            ArrayPool<byte>.Shared.Return(chunk);
        }
    }

    /// <summary>Decompresses a stream that fills the destination exactly and that nothing follows; false for any other.</summary>
    public static bool TryDecompress(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        if (source.IsEmpty)
        {
            return destination.IsEmpty;
        }

        var decoder = default(BrotliDecoder);
        try
        {
            return decoder.Decompress(source, destination, out int read, out int written) == OperationStatus.Done
                && read == source.Length
                && written == destination.Length;
        }
        finally
        {
            decoder.Dispose();
        }
    }
}
