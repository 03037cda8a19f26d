namespace BlitQueue.Log;

/// <content>Writes holes where there is no valid record, and seals the log's end.</content>
internal sealed partial class LogRepairer
{
    /// <summary>
    /// Seals the log at its end, so that nothing behind it is ever found again and no position is used twice: the log goes on at the end of
    /// its last segment, where there is room for padding only. So a recovery needs no room on the disk. Replaces the segments that were
    /// changed by their copies.
    /// </summary>
    /// <remarks>
    /// Invariant: a process that dies in here leaves a log that ends at the same position. So the segments are replaced from the first on,
    /// and the padding is written only when nothing is left behind the end, on the disk either: without a control file, records behind
    /// padding would count.
    /// </remarks>
    public void Seal()
    {
        Reached = End;
        // Before any record changes: if this process dies in here, the next opener may take the log for undamaged and trust the notes.
        (long Series, long Total) noted = ForgetCounts();
        FailPoint.Reach(ProtocolStep.RecoveryLogRead);
        if (!IsInside(End))
        {
            // The padding leads to a segment that was lost.
            SegmentFactory.Make(files, meta, _last + 1);
        }
        for (long at = End; IsInside(at); at = meta.FirstBehind(at))
        {
            if (CountBehind(at) is var messages and >= 0)
            {
                Report(
                    at, EndOf(at) - at, "records behind the log's end, of what was never announced or is not whole: set aside", messages);
                At(at).Clear(at, EndOf(at));
            }
        }
        if (End < LastHeader)
        {
            // Clears the last header, which is no record, because the gap will lead to it.
            At(LastHeader).Clear(LastHeader, LastHeader + RecordFormat.HeaderSize);
        }
        foreach (SegmentUnderRepair segment in _segments.Values)
        {
            segment.Finish();
        }
        for (; IsInside(End) && End != LastHeader; End = End / meta.SegmentSize < _last ? meta.FirstBehind(End) : LastHeader)
        {
            Close(End);
        }
        FailPoint.Reach(ProtocolStep.RecoverySealed);
        NoteCounts(noted);
    }

    // The position of the last header in the last segment.
    private long LastHeader => ((_last + 1) * meta.SegmentSize) - RecordFormat.HeaderSize;

    private void Close(long at)
    {
        SegmentUnderRepair segment = At(at);
        if (at / meta.SegmentSize < _last)
        {
            segment.Write(at, _check.Header(RecordKind.Pad, at, []));
            return;
        }
        // The cleared last header is on the disk before anything leads to it.
        Recovery.SyncOrFail(segment.Segment.Path, segment.Sync);
        // From the last one to the first: until the first one is written, none counts.
        var starts = new Stack<long>();
        for (; at < LastHeader; at += LengthOfEmpty(at, LastHeader))
        {
            starts.Push(at);
        }
        foreach (long start in starts)
        {
            segment.Write(
                start, _check.Header(RecordKind.Gap, start, (int)(LengthOfEmpty(start, LastHeader) - RecordFormat.HeaderSize)));
        }
    }

    private static long LengthOfEmpty(long from, long to) => Math.Min(to - from, RecordFormat.MaximumLength & ~7);

    // The notes in segments that were not read stay valid, because nothing changes there: the first segment behind them continues their
    // series.
    private (long Series, long Total) ForgetCounts()
    {
        (long Series, long Total) noted = IsAllRead ? default : Use(_segments[FirstReadWhole]).Segment.Counts.Before();
        foreach ((long index, SegmentUnderRepair segment) in _segments)
        {
            if (index >= FirstReadWhole)
            {
                Use(segment).Segment.Counts.Forget();
            }
        }
        return noted;
    }

    // Notes how many messages were found, so that later counts need not read them again.
    private void NoteCounts((long Series, long Total) noted)
    {
        (long series, long total) = noted.Series != 0 ? noted : (MessageCounter.NewSeries(), 0);
        foreach ((long index, SegmentUnderRepair segment) in _segments)
        {
            if (index >= FirstReadWhole)
            {
                Use(segment).Segment.Counts.NoteBefore(series, total);
                total += _counts.GetValueOrDefault(index);
            }
        }
    }

    // How many undamaged messages are between a position and its segment's end; -1 if there is no record at the position.
    private long CountBehind(long position)
    {
        long messages = At(position).Segment.Header(position) == 0 ? -1 : 0;
        for (long end = EndOf(position); position < end && (position = _search.FindNext(At(position).Segment, position, alone: false)) > 0;)
        {
            TryRecord(position, out long header, out position);
            messages = Math.Max(messages, 0) + (RecordFormat.Kind(header).EndsMessage() ? 1 : 0);
        }
        return messages;
    }

    private void Damaged(long from, long to, string what, long messages = 0)
    {
        HasHoles = true;
        _emptied.From = _emptied.To == from ? _emptied.From : from;
        for (; from < to; messages = 0)
        {
            long end = Math.Min(to, EndOf(from));
            Report(from, end - from, what, messages);
            from = Empty(At(from), from, end);
        }
        _emptied.To = from;
    }

    // Fills a range inside one segment; at the segment's end there is always room for a pad.
    private long Empty(SegmentUnderRepair segment, long from, long to)
    {
        bool isEnd = to == EndOf(from);
        segment.Clear(from, to);
        for (to -= isEnd ? RecordFormat.HeaderSize : 0; from < to;)
        {
            long length = LengthOfEmpty(from, to);
            segment.Write(from, _check.Header(hole, from, (int)(length - RecordFormat.HeaderSize)));
            from += length;
        }
        if (!isEnd)
        {
            return to;
        }
        segment.Write(from, _check.Header(RecordKind.Pad, from, []));
        return segment.Segment.NextSegmentStart;
    }

    private void Report(long position, long bytes, string what, long messages) =>
        aside.Found(Path.GetFileName(At(position).Segment.Path), position, position & (meta.SegmentSize - 1), bytes, what, messages);
}
