namespace BlitQueue.Segments;

/// <content>What is written where no record stands, and behind the log's end.</content>
internal sealed partial class LogMender
{
    /// <summary>
    /// Ends the log for good where it ends, so that nothing behind is ever found again and no position is used twice: it goes on in a new segment. Puts all that was
    /// changed in its place.
    /// </summary>
    /// <remarks>
    /// A process that dies in here leaves a log that ends in the same place. So the segments are replaced from the first on, and only when nothing is left behind the end,
    /// on the disk too, does padding lead on: without the control file what stands behind padding counts.
    /// </remarks>
    public void Seal()
    {
        Reached = End;
        // Before any record changes, as who dies in here may leave what the next opener takes for sound.
        foreach (MendedSegment mended in _segments.Values)
        {
            mended.Segment.Counts.Forget();
        }
        SegmentMaker.Make(files, meta, _last + 1);
        FailPoint.Reach(ProtocolStep.RecoverySegmentMade);
        for (long at = End; IsInside(at); at = meta.FirstBehind(at))
        {
            if (CountBehind(at) is var messages and >= 0)
            {
                Report(at, EndOf(at) - at, "records behind the log's end, of what was never announced or is not whole: set aside", messages);
                At(at).Clear(at, EndOf(at));
            }
        }
        foreach (MendedSegment mended in _segments.Values)
        {
            mended.Finish();
        }
        for (long at = End; IsInside(at); at = meta.FirstBehind(at))
        {
            At(at).Write(at, _check.Header(RecordKind.Pad, at, []));
        }
        FailPoint.Reach(ProtocolStep.RecoverySealed);
        End = meta.FirstOf(_last + 1);
        NoteCounts();
    }

    // What was stepped over need not be counted by those who ask. Where segments in between were not read, how many messages they have is not known here:
    // a new series begins.
    private void NoteCounts()
    {
        long series = 0, total = 0, before = -1;
        foreach ((long index, MendedSegment mended) in _segments)
        {
            if (before < FirstRead || index != before + 1)
            {
                (series, total) = (MessageCounter.NewSeries(), 0);
            }
            mended.Segment.Counts.NoteBefore(series, total);
            total += _counts.GetValueOrDefault(index);
            before = index;
        }
    }

    // The whole messages from a position to its segment's end; -1 where nothing stands there.
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
        for (; from < to; messages = 0)
        {
            long end = Math.Min(to, EndOf(from));
            Report(from, end - from, what, messages);
            from = Empty(At(from), from, end);
        }
    }

    // In a segment; at its end there is always room for a pad.
    private long Empty(MendedSegment mended, long from, long to)
    {
        bool isEnd = to == EndOf(from);
        mended.Clear(from, to);
        for (to -= isEnd ? RecordFormat.HeaderSize : 0; from < to;)
        {
            long length = Math.Min(to - from, RecordFormat.MaximumLength & ~7);
            mended.Write(from, _check.EmptyHeader(hole, from, (int)(length - RecordFormat.HeaderSize)));
            from += length;
        }
        if (!isEnd)
        {
            return to;
        }
        mended.Write(from, _check.Header(RecordKind.Pad, from, []));
        return mended.Segment.NextSegmentStart;
    }

    private void Report(long position, long bytes, string what, long messages) =>
        aside.Found(Path.GetFileName(At(position).Segment.Path), position, position & (meta.SegmentSize - 1), bytes, what, messages);
}
