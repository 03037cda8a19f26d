namespace BlitQueue.Log;

/// <content>
/// How much of a log is read, and how fast. After a restart of the machine whole segments that were checked, or on the disk, before are not
/// read, but for those that a subscription stands in; where anything is damaged, all are.
/// </content>
internal sealed partial class LogRepairer
{
    // Segments that the disk is asked for before they are needed.
    private const int ReadAhead = 2;

    // Where reading began behind what need not be read; First where all is read.
    private long _began;
    private long _asked;
    private bool _isChanged;

    /// <summary>For those who wait for the opening; null where nobody does.</summary>
    public OpeningProgress? Progress { get; init; }

    /// <summary>
    /// Told of each position up to which all was found whole, and is on the disk: a recovery that is killed here need not
    /// begin anew. null where that says nothing.
    /// </summary>
    public Action<long>? Checked { get; init; }

    /// <summary>The index of the first segment of which anything was read with all that follows.</summary>
    public long FirstRead => _began / meta.SegmentSize;

    // The first that was read from its beginning on: of those in front of it the notes of how many messages there are still hold.
    private long FirstReadWhole => _began <= meta.FirstOf(FirstRead) ? FirstRead : FirstRead + 1;

    private bool IsAnythingFound => HasHoles || aside.Findings.Count > 0;

    /// <summary>Whether no segment was spared.</summary>
    public bool IsAllRead => _began == First;

    private void Begin(SegmentRange range)
    {
        Start = range.IsCut ? First : SkipCutBatch(First);
        Oldest = range.IsCut ? First : FirstBeginning(First);
        _began = CleanStart((words is { } told && !IsRepair && !IsAnythingFound && decided is null ? told.Checked : 0) / meta.SegmentSize);
        long[] stood = IsAllRead ? [] : [.. SubscriptionRepairer.Needed(files, meta, out _).Distinct()
            .Where(index => index < FirstReadWhole && meta.FirstOf(index) >= First)];
        Progress?.Begin((_last + 1 - FirstRead + stood.Length) * meta.SegmentSize);
        long messages = Messages;
        var counts = new Dictionary<long, long>(_counts);
        foreach (long index in stood)
        {
            End = Math.Max(CleanStart(index), Start);
            WalkUpTo(meta.FirstOf(index + 1));
        }
        // Counted where they are read with all others, if they are.
        Messages = messages;
        _counts = counts;
        End = IsAllRead ? Start : _began;
    }

    // Where no batch reaches over: the first position of a segment, or the beginning of the batch that reaches into it; of an earlier
    // segment, where neither is found. So what is read from there on is what it is in the log.
    private long CleanStart(long index)
    {
        for (index = Math.Min(index, _last); meta.FirstOf(index) > First; index--)
        {
            if (TryRecord(meta.FirstOf(index), out long header, out _) && !RecordFormat.Kind(header).IsInBatch())
            {
                return meta.FirstOf(index);
            }
            if (BatchOutOf(index - 1) is var batch and >= 0)
            {
                return batch;
            }
        }
        return First;
    }

    // The position of the batch that begins in a segment and reaches over its end; -1 where there is none, or a damaged record hides it.
    private long BatchOutOf(long index)
    {
        long batch = -1;
        for (long position = meta.FirstOf(index), end = meta.FirstOf(index + 1); position < end;)
        {
            if (!TryRecord(position, out long header, out long after))
            {
                return -1;
            }
            RecordKind kind = RecordFormat.Kind(header);
            batch = kind == RecordKind.Batch ? position : kind.IsInBatch() ? batch : -1;
            position = after;
        }
        return batch;
    }

    // Leases may name any message, and what is told of a damaged log is told of all of it.
    private void ReadRestIfDamaged()
    {
        if (!IsAllRead && (IsAnythingFound || IsAnythingBehind()))
        {
            (long began, long end) = (_began, End);
            (_began, End) = (First, Start);
            WalkUpTo(began);
            End = end;
        }
    }

    // Told, and set aside, when the log is sealed.
    private bool IsAnythingBehind()
    {
        for (long at = End; IsInside(at); at = meta.FirstBehind(at))
        {
            if (CountBehind(at) >= 0)
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>How many messages can be reached, counted once all is repaired.</summary>
    public long CountAll()
    {
        long messages = 0;
        for (long at = First; at < End;)
        {
            bool isThere = TryRecord(at, out long header, out long after);
            messages += isThere && RecordFormat.Kind(header).EndsMessage() ? 1 : 0;
            at = isThere ? after : meta.FirstBehind(at);
        }
        return messages;
    }

    private void Walk() => WalkUpTo(long.MaxValue);

    private void WalkUpTo(long position)
    {
        while (End < position && IsInside(End) && Step(End) is var next && next != End)
        {
            Pass(End, next);
            End = next;
        }
    }

    private void Pass(long from, long to)
    {
        long index = from / meta.SegmentSize;
        if (_asked < index + ReadAhead)
        {
            AskAhead(index);
        }
        Progress?.Advance(to - from);
        if (to / meta.SegmentSize > index && Checked is not null && from >= _began && !_isChanged && !IsAnythingFound && decided is null)
        {
            NoteChecked(index, to);
        }
    }

    private void AskAhead(long index)
    {
        for (_asked = Math.Max(_asked, index); _asked < index + ReadAhead; _asked++)
        {
            if (_asked + 1 <= _last)
            {
                Use(_segments[_asked + 1]).Segment.ReadAhead();
            }
        }
    }

    // An opening that was killed may have written here, so it is synced, which costs nothing where nothing was.
    private void NoteChecked(long index, long to)
    {
        for (; meta.FirstOf(index) < to; index++)
        {
            SegmentUnderRepair segment = Use(_segments[index]);
            if (segment.IsCopy)
            {
                _isChanged = true;
                return;
            }
            Recovery.SyncOrFail(segment.Segment.Path, segment.Sync);
        }
        Checked!(to);
    }
}
