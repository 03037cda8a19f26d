namespace BlitQueue.Log;

/// <content>
/// What pool threads do: they make segments ahead of need and make their pages present, and they delete what every subscription has passed.
/// </content>
internal sealed partial class SegmentAllocator : IThreadPoolWorkItem
{
    private const long Nothing = -1;

    // One passed segment stays, to become the next one.
    private const int Spare = 1;

    // So much of passed segments is deleted even where no cursor has left one.
    private const long ManyBytes = 32 << 20;

    // Where all processors are busy, a woken thread takes one from an appender or a consumer, and runs only when the appender has filled
    // the rest of the segment.
    private static readonly TimeSpan QuickPace = TimeSpan.FromMicroseconds(500);

    /// <summary>
    /// Makes a pool thread make and populate the segment with this index, unless the append that soon needs it does so faster than a thread
    /// wakes up. Where this fails, as on a full disk, that append repeats the attempt and reports the failure.
    /// </summary>
    /// <param name="index">The segment's index.</param>
    /// <param name="pace">How long it took to fill an eighth of the segment before.</param>
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
    /// Makes a pool thread reserve more of the first segment, so that no append has to wait for it. Where this fails, as on a full disk,
    /// the append that needs it repeats the attempt and reports the failure.
    /// </summary>
    public void ReserveMoreInBackground() =>
        ThreadPool.UnsafeQueueUserWorkItem(static allocator => allocator.ReserveAhead(), this, preferLocal: false);

    private void ReserveAhead()
    {
        try
        {
            lock (_reserving)
            {
                if (!_closed)
                {
                    ReserveMore();
                }
            }
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            // The append that needs the room makes the same attempt and throws.
        }
    }

    /// <summary>
    /// Makes a pool thread note how many messages there are up to a position that the tail has passed, so that a status has to go through
    /// few records, however deep the queue. If a note is missing, because its process died, the next call notes it, or the next status
    /// does.
    /// </summary>
    public void CountInBackground(long position)
    {
        long first = control.FirstRetained;
        // It is not worth it in a queue that uses few segments in turn: a status goes through them.
        if (Counter is { } counter && position - (first * _size) >= Math.Max(MessageCounter.WorthNoting, DeepFrom * _size))
        {
            counter.NoteInBackground(position, first);
        }
    }

    // Until the segment that was asked for last exists: by then appenders may be further on.
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
                MakeUpTo(index, isFirst: true);
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

    // Between two pieces others take the lock: those who delete, or close the queue. And when the next segment is asked for, appenders are
    // in this one already: then that segment's file comes first, or they have to make it themselves.
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

    /// <summary>Makes a pool thread delete what every subscription has passed, for a cursor that has just left a segment.</summary>
    /// <remarks>Where somebody holds some of it, the thread tries again: perhaps no cursor leaves a segment later.</remarks>
    public void DeletePassedInBackground()
    {
        if (passed.TryFindPassed(out _, Spare, passed.ReusedBytes))
        {
            StartDeletion();
        }
    }

    /// <summary>
    /// The same if no cursor has left a segment, but many segments wait to be deleted. Few stay, so that an opening does not disturb a
    /// reader of consumed messages.
    /// </summary>
    public void DeleteManyPassedInBackground()
    {
        if (AreManyPassed)
        {
            StartDeletion();
        }
    }

    /// <summary>A full disk has refused a dead letter: the passed segments that would be used again are deleted once.</summary>
    public void DeleteReusedInBackground()
    {
        _isDiskFull.TrySet();
        StartDeletion();
    }

    private bool AreManyPassed
        => passed.TryFindPassed(out _, (int)Math.Max(Spare, ManyBytes / _size), passed.ReusedBytes);

    /// <summary>A message is appended or consumed: the files of a large one stay for the next one for a while.</summary>
    /// <param name="extent">What it takes of the log, bytes.</param>
    public void NoteLength(long extent) => LazyInitializer.EnsureInitialized(
        ref _large, () => new LargeMessageFiles(_size, passed, table, StartDeletion)).Note(extent);

    private void StartDeletion()
    {
        _owesDeletion.TrySet();
        _deletion.Start(TryDeletePassed);
    }

    // False where it must be tried again.
    private bool TryDeletePassed()
    {
        lock (_sync)
        {
            // When the allocator is closed the control file may be unmapped.
            return _closed || TryDeletePassedLocked();
        }
    }

    private bool TryDeletePassedLocked()
    {
        bool done = true;
        _owesDeletion.Clear();
        bool isDiskFull = _isDiskFull.IsSet;
        _isDiskFull.Clear();
        try
        {
            maintenance.InDirectory(() => done = isDiskFull ? passed.TryDelete(spare: 0, reuses: false) : passed.TryDelete(Spare));
        }
        catch (QueueException)
        {
            // Another attempt follows with the next segment. No caller waits here who could be told that a subscription's file is damaged.
        }
        if (!done)
        {
            _owesDeletion.TrySet();
        }
        return done;
    }
}
