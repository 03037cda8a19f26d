using System.Collections.Concurrent;
using System.IO.Compression;

namespace BlitQueue.Log;

/// <summary>The schema in a segment's header, so that this one file is enough to decode its messages.</summary>
/// <remarks>u64 fingerprint, u32 bytes of the Brotli stream, u32 bytes of the text, then the stream.</remarks>
internal static class SegmentSchema
{
    private const int LengthOffset = 8, TextLengthOffset = 12, StreamOffset = 16;
    private const int Quality = 11, Window = 22;

    // No schema is longer: a message type has at most 65,534 members.
    private const int LongestText = 64 << 20;

    // By the text; a process has one entry for each version of each message type.
    private static readonly ConcurrentDictionary<string, Compressed> Known = new();

    private sealed record Compressed(ulong Fingerprint, byte[] Stream, int TextLength);

    /// <summary>How many bytes of header a segment is given: whole pages, with room for the schema to become twice as long.</summary>
    public static int HeaderSizeFor(string schema)
    {
        int bytes = SegmentFormat.SchemaOffset + StreamOffset + (2 * Of(schema).Stream.Length);
        return (bytes + SegmentFormat.PageSize - 1) / SegmentFormat.PageSize * SegmentFormat.PageSize;
    }

    /// <summary>Where in a header the schema ends whose stream has so many bytes.</summary>
    public static long End(int stream) => SegmentFormat.SchemaOffset + StreamOffset + (long)(uint)stream;

    /// <summary>Whether headers of this size have room for the schema.</summary>
    public static bool Fits(string schema, int headerSize) =>
        SegmentFormat.SchemaOffset + StreamOffset + Of(schema).Stream.Length <= headerSize;

    /// <summary>Writes the schema, for which there must be room, into a header from <see cref="SegmentFormat.SchemaOffset"/> on.</summary>
    public static void Write(Span<byte> header, string schema)
    {
        Compressed known = Of(schema);
        BinaryPrimitives.WriteUInt64LittleEndian(header, known.Fingerprint);
        BinaryPrimitives.WriteInt32LittleEndian(header[LengthOffset..], known.Stream.Length);
        BinaryPrimitives.WriteInt32LittleEndian(header[TextLengthOffset..], known.TextLength);
        known.Stream.CopyTo(header[StreamOffset..]);
        header[(StreamOffset + known.Stream.Length)..].Clear();
    }

    /// <summary>Reads the schema from a header from <see cref="SegmentFormat.SchemaOffset"/> on; damaged, perhaps.</summary>
    /// <returns>Its canonical text; null if the bytes cannot be one.</returns>
    public static string? Read(ReadOnlySpan<byte> header)
    {
        int length = BinaryPrimitives.ReadInt32LittleEndian(header[LengthOffset..]);
        int textLength = BinaryPrimitives.ReadInt32LittleEndian(header[TextLengthOffset..]);
        if (length <= 0 || length > header.Length - StreamOffset || textLength is <= 0 or > LongestText)
        {
            return null;
        }
        byte[] text = new byte[textLength];
        if (!BrotliFormat.TryDecompress(header.Slice(StreamOffset, length), text))
        {
            return null;
        }
        string schema = Encoding.UTF8.GetString(text);
        return SchemaText.Fingerprint(schema) == BinaryPrimitives.ReadUInt64LittleEndian(header) ? schema : null;
    }

    // The stream is the same for every segment of a queue, and takes longer to make than the rest of a header.
    private static Compressed Of(string schema) => Known.GetOrAdd(schema, Compress);

    private static Compressed Compress(string schema)
    {
        byte[] text = Encoding.UTF8.GetBytes(schema);
        byte[] stream = new byte[BrotliEncoder.GetMaxCompressedLength(text.Length)];
        return BrotliEncoder.TryCompress(text, stream, out int written, Quality, Window)
            ? new Compressed(SchemaText.Fingerprint(schema), stream[..written], text.Length)
            : throw new InvalidOperationException("A schema could not be compressed.");
    }
}
