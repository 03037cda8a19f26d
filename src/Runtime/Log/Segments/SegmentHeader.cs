using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Writes, reads and checks the header of a segment's file, which <see cref="SegmentFormat"/> describes.</summary>
internal static class SegmentHeader
{
    /// <summary>Writes the header of a file that becomes a segment.</summary>
    /// <param name="header">As many bytes as <see cref="QueueMeta.HeaderSize"/> says.</param>
    /// <param name="meta">The queue's description.</param>
    /// <param name="index">The segment's index.</param>
    /// <param name="fileId">The file's id, if it was a segment before; otherwise empty.</param>
    public static void Write(Span<byte> header, QueueMeta meta, long index, Guid fileId)
    {
        header[..SegmentFormat.SchemaOffset].Clear();
        BinaryPrimitives.WriteInt64LittleEndian(header[SegmentFormat.MagicOffset..], SegmentFormat.Magic);
        meta.Id.TryWriteBytes(header[SegmentFormat.IdOffset..]);
        BinaryPrimitives.WriteInt64LittleEndian(header[SegmentFormat.BaseOffset..], index * meta.SegmentSize);
        BinaryPrimitives.WriteInt64LittleEndian(header[SegmentFormat.SizeOffset..], meta.SegmentSize);
        (fileId == Guid.Empty ? Guid.NewGuid() : fileId).TryWriteBytes(header[SegmentFormat.FileIdOffset..]);
        SegmentSchema.Write(header[SegmentFormat.SchemaOffset..], meta.Schema);
    }

    public static Guid FileId(MappedRegion region) => FileId(region.Bytes(0, SegmentFormat.SchemaOffset));

    public static Guid FileId(ReadOnlySpan<byte> header) => new(header.Slice(SegmentFormat.FileIdOffset, 16));

    /// <summary>The file id of the segment that has this name now.</summary>
    /// <returns>null when there is none, or it cannot be read.</returns>
    public static Guid? ReadFileId(QueueFiles files, string name)
    {
        Span<byte> id = stackalloc byte[16];
        return files.TryRead(name, SegmentFormat.FileIdOffset, id) ? new Guid(id) : null;
    }

    /// <summary>When the segment's first record was appended, UTC ticks.</summary>
    /// <returns>null when it has no record, or its header is damaged, or there is no such segment.</returns>
    public static long? ReadEntered(QueueFiles files, string name)
        => ReadWord(files, name, SegmentFormat.EnteredOffset) is { } entered and > 0 && entered <= DateTime.MaxValue.Ticks
            ? entered : null;

    /// <summary>The latest timestamp of the segment's records, UTC ticks; 0 where none has one.</summary>
    /// <returns>null when there is no such segment.</returns>
    public static long? ReadStamped(QueueFiles files, string name) => ReadWord(files, name, SegmentFormat.StampedOffset);

    private static long? ReadWord(QueueFiles files, string name, int offset)
    {
        Span<byte> word = stackalloc byte[sizeof(long)];
        return files.TryRead(name, offset, word) ? BinaryPrimitives.ReadInt64LittleEndian(word) : null;
    }

    /// <exception cref="QueueCorruptException">The header is not that of this queue's segment with this index.</exception>
    public static void Verify(MappedRegion region, QueueMeta meta, long index, string path)
    {
        if (Fault(region, meta, index) is { } found)
        {
            region.Dispose();
            throw new QueueCorruptException(path, 0, $"{found}. {StoreFormat.Remedy}");
        }
    }

    /// <summary>What in a header is not as in this queue's segment with this index; null where all is.</summary>
    public static string? Fault(MappedRegion region, QueueMeta meta, long index) =>
        region.Word(SegmentFormat.MagicOffset) != SegmentFormat.Magic ? "it does not start with the magic of a segment"
        : new Guid(region.Bytes(SegmentFormat.IdOffset, 16)) != meta.Id ? "it belongs to another queue"
        : region.Word(SegmentFormat.BaseOffset) != index * meta.SegmentSize
            ? $"it says that it starts at position {region.Word(SegmentFormat.BaseOffset)}"
        : region.Word(SegmentFormat.SizeOffset) != meta.SegmentSize ? $"it says that it has {region.Word(SegmentFormat.SizeOffset)} bytes"
        : null;
}
