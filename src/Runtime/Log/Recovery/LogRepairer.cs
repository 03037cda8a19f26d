using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Makes a log valid again: bytes that are no record become a hole, so that readers reach the records behind it. A record's check shows
/// that it belongs at its position, so only the damaged part of a segment is lost.
/// </summary>
/// <remarks>
/// After a loss of power or a failed sync, everything behind the last position that is known to have been on the disk may be torn: there a
/// batch counts as a whole or not at all. In front of that position, and if it is unknown, bytes that are no record were damaged later, so
/// every valid message of a batch had been published.
/// </remarks>
/// <param name="files">The queue's.</param>
/// <param name="meta">The queue's.</param>
/// <param name="aside">Gets copies of files before anything in them changes.</param>
/// <param name="words">How far the log reached; null where nothing says so.</param>
/// <param name="decided">The committed transaction that may not be completed; null where there is none.</param>
/// <param name="hole">What replaces bytes that are no record: a hole, which consumers report, or a gap, which they skip.</param>
internal sealed partial class LogRepairer(
    QueueFiles files, QueueMeta meta, Quarantine aside, LogBounds? words, DecidedTransaction? decided, RecordKind hole) : IDisposable
{
    private readonly RecordCheck _check = meta.RecordCheck;
    private readonly RecordSearch _search = new(meta);
    private readonly SortedDictionary<long, SegmentUnderRepair> _segments = [];
    // Linux allows a process about 65,000 mappings, and a log may have more segments.
    private const int MostMapped = 256;

    private readonly Queue<SegmentUnderRepair> _mapped = [];
    private readonly long _knownEnd = words?.End ?? 0;
    private long _last;

    // How many messages end in each segment, by the segment's index.
    private Dictionary<long, long> _counts = [];

    // A position behind which, as is known, there is a message that counts without an announcing record in front.
    private long _alone = -1;

    /// <summary>Whether this is a repair that a user asked for, and not the recovery of an opening.</summary>
    public bool IsRepair => hole == RecordKind.Gap;

    /// <summary>How far the log reached; null where nothing says so.</summary>
    public LogBounds? Words => words;

    /// <summary>The committed transaction that may not be completed; null where there is none.</summary>
    public DecidedTransaction? Decided => decided;

    /// <summary>The position of the first record that is left.</summary>
    public long First { get; private set; }

    /// <summary>The first position at which a message can begin: behind a batch whose beginning was deleted.</summary>
    public long Start { get; private set; }

    /// <summary>
    /// The oldest undamaged message, at which a subscription begins anew. It may be one of a batch whose beginning was deleted: such a
    /// batch had been published.
    /// </summary>
    public long Oldest { get; private set; }

    /// <summary>Where the log ends, or goes on.</summary>
    public long End { get; private set; }

    /// <summary>Where the log ended before it was sealed.</summary>
    public long Reached { get; private set; }

    /// <summary>How many messages can be reached.</summary>
    public long Messages { get; private set; }

    /// <summary>Whether there were bytes that are no record.</summary>
    public bool HasHoles { get; private set; }

    /// <summary>Searches and repairs in memory and in copies; <see cref="Seal"/> changes the files.</summary>
    public void Run()
    {
        var range = new SegmentRange(files, meta, aside);
        range.Find(words);
        _last = range.Last;
        for (long index = range.First; index <= _last; index++)
        {
            var segment = new SegmentUnderRepair(files, meta, aside, index);
            _segments.Add(index, segment);
            LimitMapped(segment);
        }
        First = meta.FirstOf(range.First);
        Publish();
        Begin(range);
        Walk();
        if (End < _knownEnd && IsInside(End))
        {
            long end = IsInside(_knownEnd) ? _knownEnd : meta.FirstOf(_last + 1);
            Damaged(End, end, $"nothing, though the log had reached position {_knownEnd}");
            End = end;
            Walk();
        }
        ReadRestIfDamaged();
    }

    // Publishes a committed transaction's messages in this queue, if they were not published yet, or if their header had not reached the
    // disk.
    private void Publish()
    {
        foreach (DecidedOutput output in decided?.Outputs ?? [])
        {
            if (output.Position >= First && IsInside(output.Position) && At(output.Position).Segment.Header(output.Position) == 0)
            {
                ref long header = ref At(output.Position).Segment.Header(output.Position);
                header = output.Header;
                if (!TryRecord(output.Position, out _, out _))
                {
                    header = 0;
                }
            }
        }
    }

    // Skips the rest of a batch that began in a segment which every subscription has passed.
    private long SkipCutBatch(long position)
    {
        while (IsInside(position) && TryRecord(position, out long header, out long after) && RecordFormat.Kind(header).IsInBatch())
        {
            Count(position, header);
            position = after;
        }
        return position;
    }

    private long FirstBeginning(long position)
    {
        while (IsInside(position) && TryRecord(position, out long header, out long after)
            && RecordFormat.Kind(header) is var kind && kind.IsInBatch() && !kind.BeginsMessage())
        {
            position = after;
        }
        return position;
    }

    // The position behind the record at a position; the position itself at the log's end.
    private long Step(long position)
    {
        if (!TryRecord(position, out long header, out long after))
        {
            return StepOverDamage(position);
        }
        RecordKind kind = RecordFormat.Kind(header);
        if (kind == RecordKind.Batch && (TryBatch(position, after, out long end) || TryShorten(position, after, ref end)))
        {
            return end;
        }
        if (kind.IsInBatch() && TryAnnounce(position, out end))
        {
            return end;
        }
        string? lost = kind == RecordKind.Batch ? "the beginning of a batch that is not whole"
            : kind.IsFragment() || kind.ContinuesMessage() ? "a piece of a message that is not whole"
            : kind.IsInBatch() && !kind.IsPad() && MayBeTorn(position) ? "a message of a batch that is not whole"
            : null;
        if (lost is not null && MayBeTorn(position) && !IsFollowed(after))
        {
            return position;
        }
        if (lost is not null)
        {
            Damaged(position, after, lost, kind.EndsMessage() ? 1 : 0);
            return after;
        }
        if (kind == RecordKind.Hole && IsRepair)
        {
            Damaged(position, after, "a hole, passed over silently from now on");
        }
        if (kind.IsInBatch())
        {
            Alone(position, kind, header);
        }
        Count(position, header);
        return after;
    }

    private void Alone(long position, RecordKind kind, long header)
    {
        RecordKind alone = kind.IsPad() ? RecordKind.Pad : RecordKinds.OfMessage(isAlone: true, kind.HasProperties());
        SegmentUnderRepair segment = At(position);
        segment.Write(position, _check.Header(alone, position, segment.Segment.Payload(position, RecordFormat.Length(header))));
    }

    private long StepOverDamage(long position)
    {
        long behind = At(position).Segment.NextSegmentStart;
        bool isBlank = At(position).Segment.Header(position) == 0, isPassed = position < PublishedEnd;
        // Behind a zero header there may be a batch that was never announced, and torn bytes may be the newest: so the log ends here,
        // unless it is known to have gone on.
        if (isPassed || !(isBlank || words is not null) || IsFollowed(position + RecordFormat.HeaderSize))
        {
            long next = FindNext(position + RecordFormat.HeaderSize, alone: false);
            if (next > 0 || !isPassed)
            {
                next = next > 0 ? BeginningOfUnpublished(position, Math.Min(next, behind)) : behind;
                Damaged(position, next, "no record");
                return next;
            }
        }
        if (!isBlank)
        {
            Report(position, 0, "no record, and none behind: the log ends here", messages: 0);
        }
        return position;
    }

    // For the first record of a batch: the position of its announcing record, if that was never published and nothing behind it was;
    // otherwise the first record's own position. Damage that left zeros in the header left zeros in the announcing word, too, which tells
    // it from a batch that was being written.
    private long BeginningOfUnpublished(long damaged, long first)
    {
        long announcement = first - BatchLayout.AnnouncementExtent;
        bool isUnpublished = announcement > damaged && announcement >= meta.FirstOf(announcement / meta.SegmentSize)
            && announcement >= PublishedEnd && At(announcement).Segment.Header(announcement) == 0
            && At(announcement).Segment.Payload(announcement, sizeof(long)).ContainsAnyExcept((byte)0)
            && !IsFollowed(first);
        return isUnpublished ? announcement : first;
    }

    // Whether there is, at a position or behind it, a message that counts without an announcing record, or a batch that was announced.
    // Padding and holes do not count: a recovery that was killed may have written them.
    private bool IsFollowed(long position)
    {
        if (_alone < position)
        {
            _alone = FindNext(position, alone: true);
        }
        return _alone >= position;
    }

    // The first record at a position or behind it, in any segment; -1 if there is none. With alone: as in IsFollowed.
    private long FindNext(long position, bool alone)
    {
        for (; IsInside(position); position = meta.FirstBehind(position))
        {
            Progress?.Tick();
            if (_search.FindNext(At(position).Segment, position, alone) is var next and > 0)
            {
                return next;
            }
        }
        return -1;
    }

    private void Count(long position, long header)
    {
        Count(_counts, position, header);
        Messages += RecordFormat.Kind(header).EndsMessage() ? 1 : 0;
    }

    private void Count(Dictionary<long, long> counts, long position, long header) =>
        Add(counts, position / meta.SegmentSize, RecordFormat.Kind(header).EndsMessage() ? 1 : 0);

    private static void Add(Dictionary<long, long> counts, long index, long messages)
        => counts[index] = counts.GetValueOrDefault(index) + messages;

    // Whether a position is behind everything that is known to be on the disk: there a batch counts as a whole or not at all.
    private bool MayBeTorn(long position) => words is not null && position >= _knownEnd;

    // The header page of a segment may be older on the disk than its records.
    private bool TryRecord(long position, out long header, out long after)
    {
        Segment segment = At(position).Segment;
        bool isThere = _search.TryRecord(segment, position, out header, out after);
        if (isThere && RecordFormat.Kind(header).HasProperties())
        {
            segment.NoteStamped(PropertyBlock.StampOf(segment.Payload(position, RecordFormat.Length(header))));
        }
        return isThere;
    }

    /// <summary>
    /// The position that a subscription must have after the repair: the same, in front of the hole or behind the gap that replaced its
    /// message, at the new announcing record of its batch, or at the log's end; -1 if no record can begin there.
    /// </summary>
    public long RecordStart(long position)
    {
        if (position < First)
        {
            return -1;
        }
        long at = Math.Max(First, meta.FirstOf(position / meta.SegmentSize));
        while (at < position)
        {
            if (at >= End)
            {
                return End;
            }
            if (!TryRecord(at, out long header, out long after))
            {
                return -1;
            }
            if (after > position)
            {
                RecordKind kind = RecordFormat.Kind(header);
                return kind is RecordKind.Hole or RecordKind.Batch ? at : kind.IsEmpty() || kind.IsPad() ? after : -1;
            }
            at = after;
        }
        return Math.Min(at, End);
    }

    /// <summary>Whether a message begins at a position.</summary>
    public bool IsMessage(long position) => !IsAllRead && position >= First && position < _began
        ? TryRecord(position, out long unread, out _) && RecordFormat.Kind(unread).CarriesMessage()
        : RecordStart(position) == position && position < End && TryRecord(position, out long header, out _)
        && RecordFormat.Kind(header).CarriesMessage();

    private SegmentUnderRepair At(long position) => Use(_segments[position / meta.SegmentSize]);

    // The segment's records may be read until another segment is used.
    private SegmentUnderRepair Use(SegmentUnderRepair segment)
    {
        if (!segment.IsMapped)
        {
            LimitMapped(segment);
        }
        return segment;
    }

    private void LimitMapped(SegmentUnderRepair segment)
    {
        _mapped.Enqueue(segment);
        if (_mapped.Count > MostMapped)
        {
            _mapped.Dequeue().Release();
        }
    }

    private bool IsInside(long position) => position / meta.SegmentSize <= _last;

    private long EndOf(long position) => (position & -meta.SegmentSize) + meta.SegmentSize;

    public void Dispose()
    {
        foreach (SegmentUnderRepair segment in _segments.Values)
        {
            segment.Dispose();
        }
    }
}
