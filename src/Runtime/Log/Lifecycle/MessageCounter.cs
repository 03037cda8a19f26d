using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Counts messages with the help of the notes in segments (<see cref="SegmentCounts"/>), and writes notes that are missing. Between two
/// segments it takes the difference of two totals; within one it goes from header to header from the nearest mark on. Where there are no
/// notes, it goes through all records, once.
/// </summary>
/// <param name="table">The segments.</param>
/// <param name="meta">The queue.</param>
/// <param name="gate">What refuses calls at the end.</param>
/// <param name="notes">Whether it may write; false where the segments are mapped for reading: then it remembers what it counts.</param>
internal sealed class MessageCounter(SegmentCache table, QueueMeta meta, CallGate gate, bool notes = true) : IThreadPoolWorkItem
{
    /// <summary>How many bytes of log a status may have to go through, record by record: it takes some 5 milliseconds.</summary>
    public const long WorthNoting = 64 << 20;

    // More are not given up during a count. Of the others no more in a row have no file than SegmentNames.MostMissing. A damaged word could
    // name any number of segments that do not exist, each of which costs some exceptions.
    private const int MostGivenUp = 4096;

    // How far back a roll looks for a total to go on from: bytes, or segments where those are large. Where this process noted nothing so
    // near, the call that asks for a count does.
    private const long LongestLookBack = 4 * WorthNoting, FewestLookedAt = 16;

    // As many segments as the longest log has. Only for segments that have no room for notes.
    private const long MostKnown = 64 * 1024;

    private readonly Dictionary<long, long> _closed = [];

    // Held while a pool thread counts before anybody asks.
    private readonly Lock _noting = new();
    private readonly AtomicFlag _isDue = new();
    private long _upTo, _firstRetained;

    // The last segment for which this process has noted the total before it, for a pool thread.
    private long _noted = long.MaxValue;
    private volatile bool _isStopped;

    /// <summary>How many messages end in a range of the log: from one record to another, or to the log's end.</summary>
    /// <returns>The number, without the messages in segments that are deleted meanwhile: every subscription has passed them.</returns>
    public long Count(long from, long to)
    {
        if (from >= to)
        {
            return 0;
        }
        long first = from / meta.SegmentSize, last = to / meta.SegmentSize;
        long skipped = CountBefore(first, from) ?? 0;
        return CountBetween(first, last) + (CountBefore(last, to) ?? 0) - skipped;
    }

    /// <summary>How many messages a subscription's consumers may take: never taken yet, or given back.</summary>
    public long CountLag(TakenCount taken, long tail) => Count(Math.Min(taken.Next, tail), tail) + taken.Returned;

    /// <summary>
    /// Makes a pool thread note how many messages there are up to a position that the tail has passed, from the last total on.
    /// </summary>
    /// <param name="position">The position, behind a record.</param>
    /// <param name="firstRetained">The first segment that was not given up.</param>
    public void NoteInBackground(long position, long firstRetained)
    {
        MachineMemory.Store(ref _upTo, position);
        MachineMemory.Store(ref _firstRetained, firstRetained);
        if (_isDue.TrySet())
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        _isDue.Clear();
        lock (_noting)
        {
            try
            {
                Note(MachineMemory.Load(ref _upTo), MachineMemory.Load(ref _firstRetained));
            }
            catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException
                or ObjectDisposedException)
            {
                // The next call that asks for the number counts, and reports what is wrong.
            }
        }
    }

    private void Note(long position, long firstRetained)
    {
        ThrowIfStopped();
        long last = position / meta.SegmentSize, first = last;
        // Where the pool has no free thread for long, this runs late: it goes on from where it was.
        long end = Math.Max(firstRetained, Math.Min(_noted, last - Math.Max(FewestLookedAt, LongestLookBack / meta.SegmentSize)));
        while (first > end && (first == last || Before(first).Series == 0))
        {
            first--;
        }
        CountBetween(first, last);
        CountBefore(last, position);
        _noted = last;
    }

    /// <summary>Ends the count of a pool thread, and lets no other begin. The gate refuses callers that ask.</summary>
    public void Stop()
    {
        _isStopped = true;
        lock (_noting)
        {
        }
    }

    private void ThrowIfStopped()
    {
        if (_isStopped)
        {
            throw gate.Disposed();
        }
    }

    // In the segments from one up to another, which is not included.
    private long CountBetween(long first, long last)
    {
        (long Series, long Total) at = Before(first), end = last > first ? Before(last) : at;
        if (at.Series != 0 && at.Series == end.Series && end.Total >= at.Total)
        {
            return end.Total - at.Total;
        }
        (long series, long total) = at.Series != 0 ? at : (NewSeries(), 0);
        NoteBefore(first, at, series, total);
        long began = total;
        int givenUp = 0, missing = 0;
        for (long index = first; index < last && givenUp < MostGivenUp && missing <= SegmentNames.MostMissing; index++)
        {
            ThrowIfStopped();
            (long Series, long Total) next = Before(index + 1);
            // The total is of another series: from here on this series replaces it.
            bool isKnown = at.Series != 0 && next.Series == at.Series && next.Total >= at.Total;
            long? there = isKnown ? next.Total - at.Total : CountWhole(index);
            if (there is not null)
            {
                missing = 0;
            }
            else if (table.IsStill(index))
            {
                missing++;
            }
            else
            {
                givenUp++;
            }
            total += there ?? 0;
            NoteBefore(index + 1, next, series, total);
            at = next;
        }
        return total - began;
    }

    /// <summary>A number that tells these totals from those that were counted from another start; never 0.</summary>
    public static long NewSeries() => Random.Shared.NextInt64(1, long.MaxValue);

    private (long Series, long Total) Before(long index)
    {
        (long Series, long Total) noted = default;
        return table.LookIfStill(index, segment =>
        {
            noted = segment.Counts.Before();
            return 0;
        }) is null ? default : noted;
    }

    private void NoteBefore(long index, (long Series, long Total) noted, long series, long total)
    {
        if (notes && noted != (series, total))
        {
            table.LookIfStill(index, segment =>
            {
                segment.Counts.NoteBefore(series, total);
                return 0;
            });
        }
    }

    // null where the segment does not exist.
    private long? CountWhole(long index)
    {
        lock (_closed)
        {
            if (_closed.TryGetValue(index, out long counted))
            {
                return counted;
            }
        }
        bool isNoted = true;
        long? count = table.LookIfStill(index, segment => Step(segment, segment.End, out isNoted));
        if (count is { } known && !(isNoted && notes))
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

    // In one segment, before a position in it; null where the segment does not exist.
    private long? CountBefore(long index, long position) => table.LookIfStill(index, segment => Step(segment, position, out _));

    // From the last mark on. Bytes that are no record contain no message: the count goes on behind them.
    private long Step(Segment segment, long to, out bool isNoted)
    {
        SegmentCounts counts = segment.Counts;
        isNoted = counts.IsRoom;
        (long position, long count) = counts.MarkUpTo(to);
        long end = Math.Min(to, segment.End), part = counts.PartOf(position);
        while (position >= 0 && position < end)
        {
            if (counts.PartOf(position) != part)
            {
                ThrowIfStopped();
                part = counts.PartOf(position);
                Mark(counts, position, count);
            }
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

    private void Mark(SegmentCounts counts, long position, long count)
    {
        if (notes)
        {
            counts.Mark(position, count);
        }
    }
}
