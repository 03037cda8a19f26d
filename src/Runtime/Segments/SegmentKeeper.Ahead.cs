namespace BlitQueue.Segments;

/// <content>Making segments ahead of need on a pool thread, and their pages present.</content>
internal sealed partial class SegmentKeeper : IThreadPoolWorkItem
{
    private const long Nothing = -1;

    // Where all processors are busy a woken thread takes one from an appender or a consumer, and comes when that has used up the rest of the segment.
    private static readonly TimeSpan QuickPace = TimeSpan.FromMicroseconds(500);

    private readonly Lock _wish = new();
    private long _wanted = Nothing;
    private Segment? _ahead;

    /// <summary>
    /// Has a pool thread make and populate the segment with this index, unless the append that needs it soon does so faster than one is woken. A
    /// failure (a full disk) is left to that append: it repeats the attempt and reports.
    /// </summary>
    /// <param name="index">The segment's.</param>
    /// <param name="pace">How long it took to fill an eighth of the one before.</param>
    public void PrepareInBackground(long index, TimeSpan pace)
    {
        if (pace < QuickPace && IsSoonMade)
        {
            return;
        }
        bool start;
        lock (_wish)
        {
            start = _wanted == Nothing;
            _wanted = index;
        }
        if (start)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    // Two names change in memory, and a header whose pages are there.
    private bool IsSoonMade => files.IsInMemory && passed.TryFindPassed(out long oldest) && table.IsMapped(oldest);

    // Until what was asked for last is there: by then appenders may be further on.
    void IThreadPoolWorkItem.Execute()
    {
        for (long done = Nothing; TryGetWanted(done, out long index); done = index)
        {
            Prepare(index);
        }
    }

    private bool TryGetWanted(long done, out long index)
    {
        lock (_wish)
        {
            index = _wanted;
            if (index == done)
            {
                _wanted = Nothing;
            }
            return index != done;
        }
    }

    private void Prepare(long index)
    {
        try
        {
            lock (_making)
            {
                if (_closed)
                {
                    return;
                }
                MakeUpTo(index, isFirst: true, LongestMaking, IsDeep(index) ? SegmentMaker.DeepPatience : SegmentMaker.Patience);
            }
            PinAhead(index);
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            // The append that rolls into this segment makes the same attempt and throws.
        }
    }

    private void PinAhead(long index)
    {
        lock (_sync)
        {
            if (_closed || _ahead?.Index == index)
            {
                return;
            }
            Segment? segment = table.Pin(index);
            table.Unpin(_ahead);
            _ahead = segment;
        }
        while (PopulateMore(index))
        {
        }
    }

    // Others come between: those who delete, or close the queue. And once the next one is asked for, appenders are in this one: its file
    // comes first, or they make it themselves.
    private bool PopulateMore(long index)
    {
        if (!IsWanted(index))
        {
            return false;
        }
        lock (_sync)
        {
            return !_closed && _ahead is { } segment && segment.Index == index && segment.PopulateMore(files.IsInMemory);
        }
    }

    private bool IsWanted(long index)
    {
        lock (_wish)
        {
            return _wanted == index;
        }
    }
}
