using System.Buffers.Binary;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Makes a log whole again: what is no record becomes a hole, so that the records behind it are reached. A record says by its check that it
/// belongs where it stands; so of a segment only the damaged part is lost.
/// </summary>
/// <remarks>
/// What may be torn is behind the last position that is known to have been on the disk, after a loss of power or a failed sync: there a
/// batch counts as a whole or not at all. In front of it, and where nothing tells, what is no record was damaged later, so that every
/// message of a batch that stands up had been published.
/// </remarks>
/// <param name="files">The queue's.</param>
/// <param name="meta">The queue's.</param>
/// <param name="aside">Where files go before anything in them changes.</param>
/// <param name="words">How far the log reached; null where nothing says so.</param>
/// <param name="decided">The committed transaction that may not be completed; null where there is none.</param>
/// <param name="hole">What is written over what is no record: a hole, of which consumers are told, or a gap.</param>
internal sealed partial class LogRepairer(
    QueueFiles files, QueueMeta meta, Quarantine aside, LogBounds? words, DecidedTransaction? decided, RecordKind hole) : IDisposable
{
    private readonly RecordCheck _check = meta.RecordCheck;
    private readonly RecordSearch _search = new(meta);
    private readonly SortedDictionary<long, SegmentUnderRepair> _segments = [];
    // A system has some 65,000 mappings for a process, and a log may have more segments.
    private const int MostMapped = 256;

    private readonly Queue<SegmentUnderRepair> _mapped = [];
    private readonly long _knownEnd = words?.End ?? 0;
    private long _last;

    // How many messages end in each segment.
    private Dictionary<long, long> _counts = [];

    // A position up to which it is known that a message stands behind that counts without a batch in front of it.
    private long _alone = -1;

    /// <summary>Whether it is asked for, and not an opening's recovery.</summary>
    public bool IsRepair => hole == RecordKind.Gap;

    /// <summary>How far the log reached; null where nothing says so.</summary>
    public LogBounds? Words => words;

    /// <summary>The committed transaction that may not be completed; null where there is none.</summary>
    public DecidedTransaction? Decided => decided;

    /// <summary>The position of the first record that is left.</summary>
    public long First { get; private set; }

    /// <summary>The first position where a message can begin: behind a batch whose beginning is gone.</summary>
    public long Start { get; private set; }

    /// <summary>
    /// The oldest message that is there whole, where a subscription begins anew. Of a batch whose beginning was given up, and which was
    /// published therefore, too.
    /// </summary>
    public long Oldest { get; private set; }

    /// <summary>Where the log ends, or goes on.</summary>
    public long End { get; private set; }

    /// <summary>Where it ended before it was sealed.</summary>
    public long Reached { get; private set; }

    /// <summary>How many messages can be reached.</summary>
    public long Messages { get; private set; }

    /// <summary>Whether anything was no record.</summary>
    public bool HasHoles { get; private set; }

    /// <summary>Searches and repairs; what stands in the files changes with <see cref="Seal"/>.</summary>
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

    // What a committed transaction sends here, and had not been published, or its header had not reached the disk.
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

    // The batch began in a segment that every subscription has passed.
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

    // Behind the record at a position; the position itself at the log's end.
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
        // Behind a header of zero may stand a batch that was never announced, and what is torn may be the newest,
        // unless the log is known to have gone on.
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

    // Where the record would stand that announces the batch whose first one is given, if nothing published that batch and nothing was
    // published behind it; else the first one itself. Damage that left zeros there left them where the batch's extent stands too.
    private long BeginningOfUnpublished(long damaged, long first)
    {
        long announcement = first - BatchLayout.AnnouncementExtent;
        bool isUnpublished = announcement > damaged && announcement >= meta.FirstOf(announcement / meta.SegmentSize)
            && announcement >= PublishedEnd && At(announcement).Segment.Header(announcement) == 0
            && At(announcement).Segment.Payload(announcement, sizeof(long)).ContainsAnyExcept((byte)0)
            && !IsFollowed(first);
        return isUnpublished ? announcement : first;
    }

    // Whether a message that counts without a batch in front of it, or a batch that was announced, stands at a position or behind it.
    // Padding and holes may be a recovery's that was killed.
    private bool IsFollowed(long position)
    {
        if (_alone < position)
        {
            _alone = FindNext(position, alone: true);
        }
        return _alone >= position;
    }

    // The first record at a position or behind it, in whatever segment; -1 where there is none. Alone: as in IsFollowed.
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

    // Behind what is known to have been published, or to be on the disk, a batch counts as a whole or not at all.
    private bool MayBeTorn(long position) => words is not null && position >= _knownEnd;

    // The page of a segment's header may be older on the disk than what is noted there of its records.
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
    /// Where a subscription that stood at a position is to stand: there, in front of the hole or behind the gap that took its message, at
    /// the batch that was announced in their announcement, or at the log's end; -1 where no record can begin.
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

    // Its records may be looked at until another segment is used.
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
