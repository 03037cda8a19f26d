using System.Buffers.Binary;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Makes a log whole again: what is no record becomes a gap, so that the records behind it are reached. A record says by its check that it
/// belongs where it stands; so of a segment only the damaged part is lost, and of a batch only the messages that are.
/// </summary>
internal sealed class LogMender(QueueFiles files, QueueMeta meta, SetAside aside, List<RepairFinding> findings) : IDisposable
{
    private readonly RecordCheck _check = new(meta);
    private readonly RecordSearch _search = new(meta);
    private readonly SortedDictionary<long, MendedSegment> _segments = [];
    private long _knownEnd;

    /// <summary>The position of the first record that is left.</summary>
    public long First { get; private set; }

    /// <summary>Where the log ends.</summary>
    public long End { get; private set; }

    /// <summary>How many messages can be reached.</summary>
    public long Messages { get; private set; }

    /// <summary>Mends segments that follow each other.</summary>
    /// <param name="range">Which.</param>
    /// <param name="knownEnd">Up to where the log is known to have reached; 0 where that is not known.</param>
    public void Run(SegmentRange range, long knownEnd)
    {
        (long first, long last) = (range.First, range.Last);
        _knownEnd = knownEnd;
        for (long index = first; index <= last; index++)
        {
            _segments.Add(index, MendedSegment.Open(files, meta, aside, findings, index));
        }
        First = meta.FirstOf(first);
        long position = range.IsCut ? First : SkipCutBatch(First, last);
        while (position / meta.SegmentSize <= last)
        {
            long next = Step(position, last);
            if (next == position)
            {
                break;
            }
            position = next;
        }
        End = position;
        if (End < knownEnd)
        {
            findings.Add(new RepairFinding(files.PathOf(StoreFormat.SegmentName(End & -meta.SegmentSize)), End & (meta.SegmentSize - 1), 0,
                $"the log ends here, though it had reached position {knownEnd}: what was behind is lost"));
        }
        foreach (MendedSegment segment in _segments.Values)
        {
            segment.Finish();
        }
    }

    // The batch began in a segment that everybody has passed.
    private long SkipCutBatch(long position, long last)
    {
        while (position / meta.SegmentSize <= last && TryRecord(position, out long header, out long after) && RecordFormat.Kind(header).IsInBatch())
        {
            Count(header);
            position = after;
        }
        return position;
    }

    // Behind the record at a position; the position itself at the log's end.
    private long Step(long position, long last)
    {
        if (!TryRecord(position, out long header, out long after))
        {
            return StepOverDamage(position, last);
        }
        RecordKind kind = RecordFormat.Kind(header);
        if (kind == RecordKind.Batch)
        {
            if (TryBatch(position, after, last, out long end))
            {
                return end;
            }
            Damaged(position, after, "a batch that is not whole: its messages stand alone now");
            return after;
        }
        if (kind.IsFragment() || kind.ContinuesMessage())
        {
            Damaged(position, after, "a piece of a message that is not whole");
            return after;
        }
        if (kind.IsInBatch())
        {
            Alone(position, kind, header);
        }
        Count(header);
        return after;
    }

    private void Alone(long position, RecordKind kind, long header)
    {
        RecordKind alone = kind.IsPad() ? RecordKind.Pad : RecordKinds.OfMessage(isAlone: true, kind.HasProperties());
        MendedSegment mended = At(position);
        mended.Write(position, _check.Header(alone, position, mended.Segment.Payload(position, RecordFormat.Length(header))));
    }

    private long StepOverDamage(long position, long last)
    {
        MendedSegment mended = At(position);
        bool isBlank = mended.Segment.Header(position) == 0;
        // Behind a header of zero may stand a batch that was never announced, unless the log is known to have gone on.
        bool isPassed = position < _knownEnd;
        bool goesOn = !isBlank || isPassed || FindNext(position + RecordFormat.HeaderSize, alone: true) > 0 || Holds(mended.Segment.Index + 1, last, alone: true);
        long next = goesOn ? FindNext(position + RecordFormat.HeaderSize, alone: false) : -1;
        if (next > 0)
        {
            Damaged(position, next, "no record");
            return next;
        }
        long behind = mended.Segment.NextSegmentStart;
        if (Holds(mended.Segment.Index + 1, last, alone: !isPassed))
        {
            Report(position, (behind & -meta.SegmentSize) - position, "no record");
            mended.Write(position, _check.Header(RecordKind.Pad, position, []));
            return behind;
        }
        if (!isBlank)
        {
            Report(position, 0, "no record, and none behind: the log ends here");
            mended.Write(position, 0);
        }
        return position;
    }

    // Whether a later segment has a record; alone: one that counts without a batch in front of it.
    private bool Holds(long first, long last, bool alone)
    {
        for (long index = first; index <= last; index++)
        {
            if (FindNext(meta.FirstOf(index), alone) > 0)
            {
                return true;
            }
        }
        return false;
    }

    private void Damaged(long from, long to, string what)
    {
        Report(from, to - from, what);
        for (long length; from < to; from += length)
        {
            length = Math.Min(to - from, RecordFormat.MaximumLength & ~7);
            At(from).Write(from, _check.EmptyHeader(RecordKind.Gap, from, (int)(length - RecordFormat.HeaderSize)));
        }
    }

    private void Report(long position, long bytes, string what) =>
        findings.Add(new RepairFinding(At(position).Segment.Path, position & (meta.SegmentSize - 1), bytes, what));

    private bool TryBatch(long position, long start, long last, out long end)
    {
        long announced = BinaryPrimitives.ReadInt64LittleEndian(At(position).Segment.Payload(position, sizeof(long)));
        end = start + BatchWord.Bytes(announced);
        long messages = Messages, at = start, headers = 0;
        while (at < end && at / meta.SegmentSize <= last && TryRecord(at, out long header, out long after) && RecordFormat.Kind(header).IsInBatch())
        {
            Count(header);
            headers += header;
            at = after;
        }
        bool isWhole = at == end && BatchWord.Fits(announced, headers);
        if (!isWhole)
        {
            Messages = messages;
        }
        return isWhole;
    }

    private void Count(long header) => Messages += RecordFormat.Kind(header).EndsMessage() ? 1 : 0;

    private long FindNext(long position, bool alone) => _search.FindNext(At(position).Segment, position, alone);

    private bool TryRecord(long position, out long header, out long after) => _search.TryRecord(At(position).Segment, position, out header, out after);

    /// <summary>Where a subscription that stood at a position is to stand: there, or behind the gap that took its message; -1 where no record can begin.</summary>
    public long Place(long position)
    {
        if (position < First || position > End)
        {
            return -1;
        }
        long at = Math.Max(First, meta.FirstOf(position / meta.SegmentSize));
        while (at < position)
        {
            if (at >= End || !TryRecord(at, out long header, out long after))
            {
                return -1;
            }
            if (after > position)
            {
                return RecordFormat.Kind(header).IsEmpty() || RecordFormat.Kind(header).IsPad() ? after : -1;
            }
            at = after;
        }
        return at;
    }

    /// <summary>Whether a message begins at a position.</summary>
    public bool IsMessage(long position) =>
        Place(position) == position && position < End && TryRecord(position, out long header, out _) && RecordFormat.Kind(header).HoldsMessage();

    private MendedSegment At(long position) => _segments[position / meta.SegmentSize];

    public void Dispose()
    {
        foreach (MendedSegment segment in _segments.Values)
        {
            segment.Dispose();
        }
    }
}
