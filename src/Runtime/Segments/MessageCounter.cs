using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Counts messages by stepping from header to header. A segment that the log has left is counted once: what it holds does not change.
/// </summary>
internal sealed class MessageCounter(SegmentTable table, QueueMeta meta)
{
    // More are not deleted while one counts; damaged words could name any number that do not exist.
    private const int MostMissing = 4096;

    // As many as a log of the largest sizes can have.
    private const int MostKnown = 64 * 1024;

    private readonly Dictionary<long, long> _closed = [];

    /// <summary>How many messages begin in a stretch of the log, from a record on, up to another, or to the log's end.</summary>
    /// <returns>Without those in segments that are deleted meanwhile: everybody has passed them.</returns>
    public long Count(long from, long to)
    {
        long count = 0;
        int missing = 0;
        for (long index = from / meta.SegmentSize; index <= to / meta.SegmentSize && from < to && missing < MostMissing; index++)
        {
            long? there = CountIn(index, Math.Max(from, meta.FirstOf(index)), to);
            missing += there is null ? 1 : 0;
            count += there ?? 0;
        }
        return count;
    }

    // null where the segment does not exist.
    private long? CountIn(long index, long from, long to)
    {
        bool isClosed = to >= meta.FirstOf(index + 1), isWhole = from == meta.FirstOf(index);
        lock (_closed)
        {
            if (isClosed && isWhole && _closed.TryGetValue(index, out long counted))
            {
                return counted;
            }
        }
        long? count = table.LookIfStill(index, segment => Step(segment, from, to));
        if (count is { } known && isClosed && isWhole)
        {
            lock (_closed)
            {
                if (_closed.Count >= MostKnown)
                {
                    _closed.Clear();
                }
                _closed[index] = known;
            }
        }
        return count;
    }

    // What is no record holds no message: it is gone on behind it.
    private long Step(Segment segment, long position, long to)
    {
        long count = 0, end = Math.Min(to, segment.End);
        while (position >= 0 && position < end)
        {
            long header = MachineMemory.Load(ref segment.Header(position));
            RecordKind kind = RecordFormat.Kind(header);
            long after = kind.IsPad() ? end : segment.After(position, RecordFormat.Length(header));
            if (after < 0 || !kind.IsKnown())
            {
                position = new RecordSearch(meta).FindNext(segment, position + RecordFormat.HeaderSize, alone: false, end);
                continue;
            }
            count += kind.EndsMessage() ? 1 : 0;
            position = after;
        }
        return count;
    }
}
