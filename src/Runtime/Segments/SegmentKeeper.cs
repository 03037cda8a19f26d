using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Makes segments ahead of need and deletes those that everybody has passed. One process at a time does either, under a byte lock that
/// its death gives back; appends go on meanwhile.
/// </summary>
internal sealed class SegmentKeeper(
    QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks, SegmentTable table, PassedSegments passed)
    : IThreadPoolWorkItem, IDisposable
{
    // Making ahead can be left to another process that is at it; what waits for this thread must not wait for that one.
    private static readonly TimeSpan BackgroundPatience = TimeSpan.FromMilliseconds(10);

    // Where all processors are busy a woken thread takes one from an appender or a consumer, and comes when that has used up the rest of the segment.
    private static readonly TimeSpan QuickPace = TimeSpan.FromMicroseconds(500);

    private const long Nothing = -1;

    // One is left, to become the next one.
    private const int Spare = 1;

    // Appenders ask for one beyond those that are ready; damaged words could ask for any number.
    private const int MostMade = 16;

    private readonly Lock _sync = new();
    private readonly long _size = meta.SegmentSize;
    private readonly KeepingLock _lock = new(files, locks);
    private readonly RepeatedAttempt _deletion = new();
    private readonly OnceFlag _owesDeletion = new();
    private readonly Lock _wish = new();
    private long _wanted = Nothing;
    private QueueMeta? _latest;
    private long _openings;
    private Segment? _ahead;
    private bool _closed;

    /// <summary>Whether appenders may use the segment with this index.</summary>
    public bool IsReady(long index) => MachineMemory.Load(ref control.Ready) > index;

    /// <summary>Makes the segments up to this index, unless they are there. Returns when appenders may use it.</summary>
    /// <exception cref="QueueFullException">The disk has no room for it.</exception>
    /// <exception cref="QueueStalledException">Another process has been making one for longer than the patience.</exception>
    public void Ensure(long index, TimeSpan patience)
    {
        lock (_sync)
        {
            // The control file may be unmapped once the keeper is closed.
            ObjectDisposedException.ThrowIf(_closed, typeof(SegmentKeeper));
            if (IsReady(index))
            {
                return;
            }
            WhileKept(patience, () => MakeUpTo(index));
        }
    }

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

    /// <summary>Has a pool thread delete what everybody has passed, for a cursor that has just left a segment.</summary>
    /// <remarks>Where another handle is at it, which may have looked too early, it is tried again: maybe no cursor leaves a segment later.</remarks>
    public void DeletePassedInBackground()
    {
        if (passed.TryFindPassed(out _, Spare, passed.ReusedBytes))
        {
            _owesDeletion.TrySet();
            _deletion.Start(TryDeletePassed);
        }
    }

    /// <summary>Runs something while no process makes or deletes segments: what the log holds stays.</summary>
    /// <exception cref="QueueStalledException">Another process has been at it for longer than the patience.</exception>
    public void WhileKept(TimeSpan patience, Action work)
    {
        lock (_sync)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(SegmentKeeper));
            _lock.Take(patience);
            try
            {
                _lock.RequireDirectory();
                work();
            }
            catch (IOException exception)
            {
                throw SystemFailure.Of(files.Directory, exception);
            }
            catch (UnauthorizedAccessException exception)
            {
                throw QueueDirectory.NoRights(files.Directory, exception);
            }
            finally
            {
                _lock.GiveBack();
            }
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
            Ensure(index, BackgroundPatience);
            PinAhead(index);
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException or ObjectDisposedException)
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

    // Others come between: those who make or delete, or close the queue.
    private bool PopulateMore(long index)
    {
        lock (_sync)
        {
            return !_closed && _ahead is { } segment && segment.Index == index && segment.PopulateMore();
        }
    }

    // False when another handle holds the keeping lock.
    private bool TryDeletePassed()
    {
        lock (_sync)
        {
            return _closed || TryDeletePassedLocked();
        }
    }

    private bool TryDeletePassedLocked()
    {
        if (!_lock.TryTake())
        {
            return false;
        }
        _owesDeletion.Clear();
        try
        {
            _lock.RequireDirectory();
            passed.Delete(Spare);
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            // Another attempt follows with the next segment. Nobody waits here to be told that a subscription's file is damaged.
        }
        finally
        {
            _lock.GiveBack();
        }
        return true;
    }

    private void MakeUpTo(long index)
    {
        long ready = MachineMemory.Load(ref control.Ready);
        if (ready <= index - MostMade || index > long.MaxValue / _size)
        {
            throw new QueueCorruptException(files.PathOf(StoreFormat.ControlName), ControlFormat.ReadyOffset,
                $"it says that {ready} segments are ready, where number {index} is needed. Run Repair (docs/repair.md) when no process has the queue open.");
        }
        for (long next = ready; next <= index; next++)
        {
            Make(next);
            // SYNC POINT ready: publishes that the segment's file is complete and has its name.
            MachineMemory.Store(ref control.Ready, next + 1);
            FailPoint.Reach(ProtocolStep.SegmentAnnounced);
        }
    }

    private void Make(long index)
    {
        // A file of that name that was not announced: its maker died in between.
        if (files.Exists(StoreFormat.SegmentName(index * _size)))
        {
            return;
        }
        if (passed.TryRetire(spare: 0, out long oldest) && TryRecycle(oldest, index))
        {
            return;
        }
        try
        {
            SegmentMaker.Make(files, Latest(), index);
        }
        catch (IOException exception) when (DiskFull.Is(exception))
        {
            throw Full(exception);
        }
    }

    // False where the file is damaged: nothing of it is left then, nor where the system has no descriptor or mapping left for it.
    private bool TryRecycle(long oldest, long index)
    {
        Segment? segment = null;
        try
        {
            segment = table.Pin(oldest);
        }
        catch (QueueCorruptException)
        {
        }
        finally
        {
            if (segment is null)
            {
                files.Delete(StoreFormat.SegmentName(oldest * _size));
            }
        }
        if (segment is null)
        {
            return false;
        }
        try
        {
            SegmentMaker.Recycle(files, Latest(), segment, index);
        }
        catch
        {
            table.Unpin(segment);
            throw;
        }
        table.UnpinAs(segment, index);
        return true;
    }

    // The queue's description as it is by now. Only who opens a queue changes it.
    private QueueMeta Latest()
    {
        // SYNC POINT schema: acquires the queue.meta that was written before the opening was counted.
        long openings = MachineMemory.Load(ref control.Openings);
        if (_latest is null || openings != _openings)
        {
            _latest = SchemaKeeper.Latest(files, meta);
            _openings = openings;
        }
        return _latest;
    }

    private QueueFullException Full(IOException exception) => new(
        $"{files.Directory}: the disk has no room for the next segment of {_size} bytes. Nothing was enqueued. "
        + "Free disk space, let consumers catch up, or use a smaller SegmentSize.", exception);

    /// <summary>Deletes what a killed keeper had taken off the list, or left unfinished, and subscriptions whose deleter was killed.</summary>
    public void DeleteLeftovers()
    {
        lock (_sync)
        {
            if (!_lock.TryTake())
            {
                return;
            }
            try
            {
                passed.DeleteLeftovers();
            }
            finally
            {
                _lock.GiveBack();
            }
        }
    }

    /// <summary>Deletes what is left to be deleted, gives the prepared segment back and starts nothing more.</summary>
    public void Dispose()
    {
        lock (_sync)
        {
            // Not left to the pool thread, which would come too late; where another handle is at it, the rest is left to it.
            if (!_closed && _owesDeletion.IsSet)
            {
                TryDeletePassedLocked();
            }
            _closed = true;
            _deletion.Dispose();
            table.Unpin(_ahead);
            _ahead = null;
        }
    }
}
