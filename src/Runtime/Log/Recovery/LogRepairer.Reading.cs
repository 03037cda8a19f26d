namespace BlitQueue.Log;

/// <content>
/// How much of a log is read, and how fast. After a restart of the machine, whole segments that were checked, or on the disk, before are
/// not read, unless a subscription's position is in them; if anything is damaged, all segments are read.
/// </content>
internal sealed partial class LogRepairer
{
    // How many segments are requested from the disk before they are needed.
    private const int ReadAhead = 2;

    // The position at which reading began; First if all is read.
    private long _began;
    private long _asked;
    private bool _isChanged;

    /// <summary>Progress for callers that wait for the opening; null if there are none.</summary>
    public OpeningProgress? Progress { get; init; }

    /// <summary>
    /// Gets each position up to which all was found undamaged and is on the disk: if this recovery is killed, the next one begins there.
    /// null if these positions must not be noted.
    /// </summary>
    public Action<long>? Checked { get; init; }

    /// <summary>The index of the first segment of the part that was read without gaps up to the log's end.</summary>
    public long FirstRead => _began / meta.SegmentSize;

    // The first segment that was read from its beginning: in those in front of it, the notes about message counts are still valid.
    private long FirstReadWhole => _began <= meta.FirstOf(FirstRead) ? FirstRead : FirstRead + 1;

    private bool IsAnythingFound => HasHoles || aside.Findings.Count > 0;

    /// <summary>Whether every segment was read.</summary>
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
        // They are counted when all segments are read, if that happens.
        Messages = messages;
        _counts = counts;
        End = IsAllRead ? Start : _began;
    }

    // The position at which reading can begin, because no batch crosses it: the first position of a segment, or the beginning of the batch
    // that reaches into it; if neither is certain, one in an earlier segment.
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

    // The position of the batch that begins in a segment and crosses its end; -1 if there is none, or if a damaged record hides it.
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

    // If anything is damaged, all segments are read: leases may name any message, and the report must be about the whole log.
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

    // Whether there is anything behind the end, which is reported and set aside when the log is sealed.
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

    /// <summary>Counts the messages that can be reached, after the repair.</summary>
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

    // An opening that was killed may have written to the segment, so it is synced; that costs nothing if nothing was written.
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
