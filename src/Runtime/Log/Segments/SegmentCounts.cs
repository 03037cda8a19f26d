using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The notes in a segment's header about messages: how many there are before the segment, and how many of its own are before some of its
/// records. Notes save work when somebody counts. The check of each says that it belongs to this segment; where one is missing, torn or
/// stale, the reader counts anew.
/// </summary>
/// <remarks>
/// <code>
/// in the last 640 bytes of the header, where the schema leaves them free:
///      0     8  series: random; totals of one series alone can be compared; 0 = not counted yet
///      8     8  total: messages that end before this segment, counted from where the series began
///     16     8  check, 32 bits
///     32    16  each of 31 marks: low 32 bits the offset of a record in the file, high 32 the messages of this segment that end before
///               of it; check, 32 bits
/// </code>
/// A message counts in the record that ends it. Notes are only about records that the tail has passed. Those do not change, except by a
/// recovery or a repair, which deletes all notes before it changes anything.
/// </remarks>
internal readonly struct SegmentCounts(MappedRegion region, QueueMeta meta, long index)
{
    /// <summary>A segment's marks are about a 32nd of it apart.</summary>
    public const int Parts = 32;

    private const int BlockSize = 640, TotalOffset = 8, CheckOffset = 16, MarksOffset = 32, MarkSize = 16,
        BlockEnd = MarksOffset + (MarkSize * (Parts - 1));

    // No record can be at such a position, so that no reader takes a note for a record.
    private const RecordKind NoteKind = (RecordKind)1, MarkKind = (RecordKind)2;

    private readonly long _block = meta.HeaderSize - BlockSize;

    /// <summary>Whether an offset in a segment's file is in the notes, which each recovery and repair writes anew.</summary>
    public static bool IsNote(long offset, int headerSize)
        => offset >= headerSize - BlockSize && offset < headerSize - BlockSize + BlockEnd;

    /// <summary>Whether the header has room for notes: it has none where the schema fills it.</summary>
    public bool IsRoom => SegmentSchema.End(region.Word32(SegmentFormat.SchemaLengthOffset)) <= _block;

    /// <summary>How many messages end before the segment.</summary>
    /// <returns>A series of 0 where it was not noted.</returns>
    public (long Series, long Total) Before()
    {
        if (!IsRoom)
        {
            return default;
        }
        // SYNC POINT counts: each word is stored in one piece, and the check tells whether the three belong together.
        long series = MachineMemory.Load(ref region.Word(_block)), total = MachineMemory.Load(ref region.Word(_block + TotalOffset));
        return series != 0 && MachineMemory.Load(ref region.Word(_block + CheckOffset)) == Check(NoteKind, series, total)
            ? (series, total)
            : default;
    }

    /// <summary>Notes how many messages end before the segment.</summary>
    public void NoteBefore(long series, long total)
    {
        if (IsRoom)
        {
            MachineMemory.Store(ref region.Word(_block), series);
            MachineMemory.Store(ref region.Word(_block + TotalOffset), total);
            // SYNC POINT counts: publishes the two words above.
            MachineMemory.Store(ref region.Word(_block + CheckOffset), Check(NoteKind, series, total));
        }
    }

    /// <summary>The last mark at a position or before it.</summary>
    /// <returns>The segment's first record where there is none.</returns>
    public (long Position, long Messages) MarkUpTo(long position)
    {
        long start = index * meta.SegmentSize;
        for (long part = IsRoom ? Math.Min(PartOf(position), Parts - 1) : 0; part > 0; part--)
        {
            long mark = MachineMemory.Load(ref region.Word(MarkOffset(part))), at = start + (uint)mark;
            if (mark != 0 && at <= position && at >= meta.FirstOf(index)
                && MachineMemory.Load(ref region.Word(MarkOffset(part) + 8)) == Check(MarkKind, mark, part))
            {
                return (at, (long)((ulong)mark >> 32));
            }
        }
        return (meta.FirstOf(index), 0);
    }

    /// <summary>
    /// The number of the segment's part that a position is in. A position behind the segment's last byte is in the part behind the last.
    /// </summary>
    public long PartOf(long position) => (position - (index * meta.SegmentSize)) / (meta.SegmentSize / Parts);

    /// <summary>Notes how many messages of the segment end before a record, which is the first one in its part.</summary>
    public void Mark(long position, long messages)
    {
        long part = PartOf(position), mark = (messages << 32) | (position - (index * meta.SegmentSize));
        if (IsRoom && part is > 0 and < Parts && MachineMemory.Load(ref region.Word(MarkOffset(part))) != mark)
        {
            MachineMemory.Store(ref region.Word(MarkOffset(part)), mark);
            // SYNC POINT counts: publishes the word above.
            MachineMemory.Store(ref region.Word(MarkOffset(part) + 8), Check(MarkKind, mark, part));
        }
    }

    /// <summary>Deletes all notes. Callers do so before they change records.</summary>
    public void Forget()
    {
        if (IsRoom)
        {
            region.Bytes(_block, BlockEnd).Clear();
        }
    }

    private long MarkOffset(long part) => _block + MarksOffset + ((part - 1) * MarkSize);

    private long Check(RecordKind kind, long first, long second)
    {
        Span<byte> words = stackalloc byte[2 * sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(words, first);
        BinaryPrimitives.WriteInt64LittleEndian(words[sizeof(long)..], second);
        return RecordCheck.Compute(meta.Salt, index * meta.SegmentSize, kind, words);
    }
}
