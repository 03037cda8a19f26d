namespace BlitQueue.Segments;

/// <summary>Finds records in a segment of which nothing else is to be believed: each says by its check that it belongs where it stands.</summary>
internal sealed class RecordSearch(QueueMeta meta)
{
    // Bytes of payload that are checked in vain while the next record of a segment is looked for, in segments.
    private const long MostSearched = 16;

    private readonly RecordCheck _check = new(meta);
    private long _searched;

    /// <summary>Whether a record stands at a position, and what is behind it.</summary>
    public bool TryRecord(Segment segment, long position, out long header, out long after)
    {
        header = segment.Header(position);
        RecordKind kind = RecordFormat.Kind(header);
        int length = RecordFormat.Length(header);
        after = kind.IsPad() ? segment.NextSegmentStart : segment.After(position, length);
        if (after < 0 || (kind.IsPad() && length != 0))
        {
            return false;
        }
        if (kind.IsEmpty())
        {
            return _check.FitsEmpty(header, position);
        }
        if (!(kind.HoldsMessage() || kind.IsPad() || (kind == RecordKind.Batch && length == sizeof(long))))
        {
            return false;
        }
        _searched += length;
        return _check.Fits(header, position, kind.IsPad() ? [] : segment.Payload(position, length));
    }

    /// <summary>The next place in a segment, from a position on, where a record stands; -1 where there is none.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="position">Where the search begins, in it.</param>
    /// <param name="alone">Whether records that only count inside a batch are passed over.</param>
    /// <param name="end">Where the search ends; in the segment, or behind it.</param>
    public long FindNext(Segment segment, long position, bool alone, long end = long.MaxValue)
    {
        _searched = 0;
        // Counted down: the last position that a name can tell has none behind it.
        for (long left = Math.Min(meta.SegmentSize - (position & (meta.SegmentSize - 1)), end - position); left >= RecordFormat.HeaderSize; left -= RecordFormat.HeaderSize)
        {
            if (segment.Header(position) != 0 && TryRecord(segment, position, out long header, out _)
                && !(alone && RecordFormat.Kind(header).IsInBatch()))
            {
                return position;
            }
            if (_searched >= MostSearched * meta.SegmentSize)
            {
                return -1;
            }
            position += RecordFormat.HeaderSize;
        }
        return -1;
    }
}
