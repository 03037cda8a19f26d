namespace BlitQueue.Log;

/// <summary>
/// Finds records in a segment of which nothing else can be trusted. The check of each record says that it belongs at its position.
/// </summary>
internal sealed class RecordSearch(QueueMeta meta)
{
    // How many segments' worth of payload a search for the next record checks in vain at most.
    private const long MostSearched = 16;

    // Bytes: one random word in 16,384 looks like the header of a record of up to this length.
    private const int Short = 1 << 18;

    private readonly RecordCheck _check = meta.RecordCheck;
    private long _searched;

    /// <summary>Whether there is a record at a position, and what is behind it.</summary>
    public bool TryRecord(Segment segment, long position, out long header, out long after)
    {
        header = segment.Header(position);
        RecordKind kind = RecordFormat.Kind(header);
        int length = RecordFormat.Length(header);
        after = segment.Behind(position, header);
        if (after < 0 || (kind.IsPad() && length != 0))
        {
            return false;
        }
        if (kind.IsEmpty())
        {
            return _check.FitsEmpty(header, position);
        }
        if (!(kind.CarriesMessage() || kind.IsPad() || (kind == RecordKind.Batch && length == sizeof(long))))
        {
            return false;
        }
        _searched += length;
        return _check.Fits(header, position, kind.IsPad() ? [] : segment.Payload(position, length));
    }

    /// <summary>The position of the next record in a segment, from a position on; -1 where there is none.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="position">Where the search begins, in it.</param>
    /// <param name="alone"> Whether the search is only for a message that needs no batch before it, or for the record that announces a
    /// batch.
    /// </param>
    /// <param name="end">Where the search ends; null: at the segment's end.</param>
    public long FindNext(Segment segment, long position, bool alone, long? end = null)
    {
        long behind = end ?? segment.End;
        long next = Find(segment, position, behind, isLong: false, alone);
        // A long record before that one ends there at the latest. So bytes that look like the headers of many long records cost little
        // time.
        long longer = Find(segment, position, next < 0 ? behind : next, isLong: true, alone);
        return longer < 0 ? next : longer;
    }

    private long Find(Segment segment, long position, long end, bool isLong, bool alone)
    {
        _searched = 0;
        for (; position < end && _searched < MostSearched * meta.SegmentSize; position += RecordFormat.HeaderSize)
        {
            long header = segment.Header(position);
            int length = RecordFormat.Length(header);
            if (header != 0 && length > Short == isLong && (!isLong || position + RecordFormat.Extent(length) <= end)
                && (!alone || RecordFormat.Kind(header).IsPublished()) && TryRecord(segment, position, out _, out _))
            {
                return position;
            }
        }
        return -1;
    }
}
