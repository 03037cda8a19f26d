using System.Buffers;
using System.IO.Compression;

namespace BlitQueue;

/// <summary>Brotli streams of a known length.</summary>
internal static class BrotliFormat
{
    /// <summary>What faults call it.</summary>
    public const string Name = "Brotli stream";

    /// <summary>Of 0 to 11: about as fast as what is compressed can be read from a disk.</summary>
    public const int Quality = 4;

    /// <summary>The window's size, as a power of two in bytes.</summary>
    public const int Window = 22;

    /// <summary>How many bytes one compressed byte may stand for without being asked what it does stand for.</summary>
    public const int UsualRatio = 16;

    /// <summary>What a byte of the stream's content takes in memory where that is bytes.</summary>
    public const int BytesInMemory = 1;

    /// <summary>The same of text: a char, and its byte in the buffer it is decoded from.</summary>
    public const int TextInMemory = 3;

    // From here on all buffers are of the largest size: those of many sizes would together be twice as large as what is read.
    private const int LargestOfItsSize = 1 << 20;

    private const int ChunkSize = 32 * 1024;

    /// <summary>How large a buffer to rent for text of so many bytes.</summary>
    public static int BufferFor(int length, int maxLength) => length > LargestOfItsSize ? maxLength : length;

    /// <summary>Whether the stream holds so many bytes and nothing follows it: found out without keeping them.</summary>
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

    /// <summary>Decompresses a stream that fills the destination, and behind which nothing follows; false for any other.</summary>
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
