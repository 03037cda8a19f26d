namespace BlitQueue.Log;

/// <content>
/// What threads of the pool do: make segments ahead of need, and their pages present; and delete what every subscription has passed.
/// </content>
internal sealed partial class SegmentAllocator : IThreadPoolWorkItem
{
    private const long Nothing = -1;

    // One passed segment is left, to become the next one.
    private const int Spare = 1;

    // Where all processors are busy a woken thread takes one from an appender or a consumer, and comes when that has used up the rest of
    // the segment.
    private static readonly TimeSpan QuickPace = TimeSpan.FromMicroseconds(500);

    /// <summary>
    /// Has a pool thread make and populate the segment with this index, unless the append that needs it soon does so faster than one is
    /// woken. A failure (a full disk) is left to that append: it repeats the attempt and reports.
    /// </summary>
    /// <param name="index">The segment's.</param>
    /// <param name="pace">How long it took to fill an eighth of the one before.</param>
    public void PrepareInBackground(long index, TimeSpan pace)
    {
        Times?.Leave(index - 1);
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

    /// <summary>
    /// Has a pool thread note how many messages there are up to a position that the tail has passed: so that a status has to step over
    /// little, however deep the queue. What is not noted, because its process died for instance, is noted
    /// with the next, or when somebody asks.
    /// </summary>
    public void CountInBackground(long position)
    {
        long first = control.FirstRetained;
        // A queue that goes round few segments is not worth it: a status steps over them.
        if (Counter is { } counter && position - (first * _size) >= Math.Max(MessageCounter.WorthNoting, DeepFrom * _size))
        {
            counter.NoteInBackground(position, first);
        }
    }

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
                MakeUpTo(
                    index, isFirst: true,
                    index - control.FirstRetained >= DeepFrom ? SegmentFactory.DeepPatience : SegmentFactory.Patience);
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
        lock (_wish)
        {
            if (_wanted != index)
            {
                return false;
            }
        }
        lock (_sync)
        {
            return !_closed && _ahead is { } segment && segment.Index == index && segment.PopulateMore(files.IsInMemory);
        }
    }

    /// <summary>Has a pool thread delete what every subscription has passed, for a cursor that has just left a segment.</summary>
    /// <remarks>Where a hold keeps some of it, it is tried again: maybe no cursor leaves a segment later.</remarks>
    public void DeletePassedInBackground()
    {
        if (passed.TryFindPassed(out _, Spare, passed.ReusedBytes))
        {
            StartDeletion();
        }
    }

    /// <summary>A message is appended or consumed: the files of a large one stay for the next one for a while.</summary>
    /// <param name="extent">What it takes of the log, bytes.</param>
    public void NoteLength(long extent) => LazyInitializer.EnsureInitialized(
        ref _large, () => new LargeMessageFiles(_size, passed, table, StartDeletion)).Note(extent);

    private void StartDeletion()
    {
        _owesDeletion.TrySet();
        _deletion.Start(TryDeletePassed);
    }

    // False where it is to be tried again.
    private bool TryDeletePassed()
    {
        lock (_sync)
        {
            // The control file may be unmapped once the allocator is closed.
            return _closed || TryDeletePassedLocked();
        }
    }

    private bool TryDeletePassedLocked()
    {
        bool done = true;
        _owesDeletion.Clear();
        try
        {
            maintenance.InDirectory(() => done = passed.TryDelete(Spare));
        }
        catch (QueueException)
        {
            // Another attempt follows with the next segment. Nobody waits here to be told that a subscription's file is damaged.
        }
        if (!done)
        {
            _owesDeletion.TrySet();
        }
        return done;
    }
}
