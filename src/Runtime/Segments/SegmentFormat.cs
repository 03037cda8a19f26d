using System.Buffers.Binary;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// A segment: a file of a fixed size, a power of two, that holds the records of one stretch of positions. Its first page or pages are the
/// header, which says what the messages in it are made of:
/// <code>
/// offset  size
///      0     8  magic "BLITSEG1"
///      8    16  queue id
///     24     8  base position: the position of this file's first byte
///     32     8  segment size in bytes
///     40    16  file id: random, made with the file and kept when it becomes a later segment
///     56     8  when the first record went in, UTC ticks; 0 = none has
///     64     8  the latest time that one of its records bears, UTC ticks; 0 = none bears any
///     72     8  fingerprint of the schema
///     80     4  bytes of the schema, compressed
///     84     4  bytes of its text
///     88        the schema's text, UTF-8, as one Brotli stream
///   -640   528  at the header's end, where the schema leaves room: how many messages there are, see <see cref="SegmentCounts"/>
///   4096        records, or behind as many pages more as queue.meta says
/// </code>
/// </summary>
internal static class SegmentFormat
{
    public const long Magic = 0x3147_4553_5449_4C42;
    public const int MagicOffset = 0, IdOffset = 8, BaseOffset = 24, SizeOffset = 32, FileIdOffset = 40, EnteredOffset = 56,
        StampedOffset = 64, SchemaOffset = 72, SchemaLengthOffset = 80;

    /// <summary>A header has whole pages of so many bytes.</summary>
    public const int PageSize = 4096;

    /// <summary>The smallest segment, bytes.</summary>
    public const long MinimumSize = 64 * 1024;

    /// <summary>The largest segment, bytes: a record's length has 28 bits, and a span's length 31.</summary>
    public const long MaximumSize = 1L << 30;

    public const long DefaultSize = 64L * 1024 * 1024;

    /// <summary>Makes the header of a file that becomes a segment.</summary>
    /// <param name="header">As many bytes as <see cref="QueueMeta.HeaderSize"/> says.</param>
    /// <param name="meta">The queue's.</param>
    /// <param name="index">The segment's.</param>
    /// <param name="fileId">The file's, if it was a segment before; else empty.</param>
    public static void Write(Span<byte> header, QueueMeta meta, long index, Guid fileId)
    {
        header[..SchemaOffset].Clear();
        BinaryPrimitives.WriteInt64LittleEndian(header[MagicOffset..], Magic);
        meta.Id.TryWriteBytes(header[IdOffset..]);
        BinaryPrimitives.WriteInt64LittleEndian(header[BaseOffset..], index * meta.SegmentSize);
        BinaryPrimitives.WriteInt64LittleEndian(header[SizeOffset..], meta.SegmentSize);
        (fileId == Guid.Empty ? Guid.NewGuid() : fileId).TryWriteBytes(header[FileIdOffset..]);
        SegmentSchema.Write(header[SchemaOffset..], meta.Schema);
    }

    public static Guid FileId(MappedRegion region) => FileId(region.Bytes(0, SchemaOffset));

    public static Guid FileId(ReadOnlySpan<byte> header) => new(header.Slice(FileIdOffset, 16));

    /// <summary>The file id of the segment that has this name now.</summary>
    /// <returns>null when there is none, or it cannot be read.</returns>
    public static Guid? ReadFileId(QueueFiles files, string name)
    {
        Span<byte> id = stackalloc byte[16];
        return files.TryRead(name, FileIdOffset, id) ? new Guid(id) : null;
    }

    /// <summary>When the segment's first record went in, UTC ticks.</summary>
    /// <returns>null when none has, or there is no such segment.</returns>
    public static long? ReadEntered(QueueFiles files, string name) => ReadWord(files, name, EnteredOffset) is { } entered and not 0 ? entered : null;

    /// <summary>The latest time that one of the segment's records bears, UTC ticks; 0 where none does.</summary>
    /// <returns>null when there is no such segment.</returns>
    public static long? ReadStamped(QueueFiles files, string name) => ReadWord(files, name, StampedOffset);

    private static long? ReadWord(QueueFiles files, string name, int offset)
    {
        Span<byte> word = stackalloc byte[sizeof(long)];
        return files.TryRead(name, offset, word) ? BinaryPrimitives.ReadInt64LittleEndian(word) : null;
    }

    /// <exception cref="QueueCorruptException">The header is not the one that this queue's segment of this index has.</exception>
    public static void Verify(MappedRegion region, QueueMeta meta, long index, string path)
    {
        if (Fault(region, meta, index) is { } found)
        {
            region.Dispose();
            throw new QueueCorruptException(path, 0, $"{found}. {StoreFormat.Remedy}");
        }
    }

    /// <summary>What of a header is not as this queue's segment of this index has it; null where all is.</summary>
    public static string? Fault(MappedRegion region, QueueMeta meta, long index) =>
        region.Word(MagicOffset) != Magic ? "it does not start with the magic of a segment"
        : new Guid(region.Bytes(IdOffset, 16)) != meta.Id ? "it belongs to another queue"
        : region.Word(BaseOffset) != index * meta.SegmentSize ? $"it says that it starts at position {region.Word(BaseOffset)}"
        : region.Word(SizeOffset) != meta.SegmentSize ? $"it says that it has {region.Word(SizeOffset)} bytes"
        : null;
}
