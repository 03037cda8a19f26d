using System.Buffers.Binary;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// What a segment's header notes of the messages: how many there are in front of the segment, and how many of its own in front of
/// some of its records. Notes are a help to those who count. Each says by its check that it belongs to this segment; what is
/// missing, torn or stale is counted again.
/// </summary>
/// <remarks>
/// <code>
/// in the last 640 bytes of the header, where the schema leaves them free:
///      0     8  series: random; totals of one series alone can be compared; 0 = nobody has counted
///      8     8  total: messages that end in front of this segment, counted from where the series began
///     16     8  check, 32 bits
///     32    16  each of 31 marks: low 32 bits the offset of a record in the file, high 32 the messages of this segment that end in front
///               of it; check, 32 bits
/// </code>
/// A message counts in the record that ends it. Only what the tail has passed is noted, and that changes no more, but by a recovery or a
/// repair, which forgets all notes before it changes anything.
/// </remarks>
internal readonly struct SegmentCounts(MappedRegion region, QueueMeta meta, long index)
{
    /// <summary>A segment's marks stand about a 32nd of it apart.</summary>
    public const int Parts = 32;

    private const int BlockSize = 640, TotalOffset = 8, CheckOffset = 16, MarksOffset = 32, MarkSize = 16,
        BlockEnd = MarksOffset + (MarkSize * (Parts - 1));

    // No record's positions, so that no note is taken for a record.
    private const RecordKind NoteKind = (RecordKind)1, MarkKind = (RecordKind)2;

    private readonly long _block = meta.HeaderSize - BlockSize;

    /// <summary>Whether an offset in a segment's file is one of the notes, which each recovery and repair writes anew.</summary>
    public static bool IsNote(long offset, int headerSize)
        => offset >= headerSize - BlockSize && offset < headerSize - BlockSize + BlockEnd;

    /// <summary>Whether the header has room for notes: not where the schema fills it.</summary>
    public bool IsRoom => SegmentSchema.End(region.Word32(SegmentFormat.SchemaLengthOffset)) <= _block;

    /// <summary>How many messages end in front of the segment.</summary>
    /// <returns>A series of 0 where nobody has noted it.</returns>
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

    /// <summary>Notes how many messages end in front of the segment.</summary>
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

    /// <summary>The last mark at a position or in front of it.</summary>
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

    /// <summary>In which of its parts a position is; records that begin behind its last byte are in the one behind the last.</summary>
    public long PartOf(long position) => (position - (index * meta.SegmentSize)) / (meta.SegmentSize / Parts);

    /// <summary>Notes how many messages of the segment end in front of a record, the first one in its part.</summary>
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

    /// <summary>Takes all notes back, before records change.</summary>
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
