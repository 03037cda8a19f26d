using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Makes the next segments, from new files or from the files of passed segments, and deletes segments that every subscription has passed.
/// Every process may do either at any time: it makes a segment's file under an unfinished name of its own, the first one that gives its
/// file the segment's name has made the segment, and one exchange of one word decides who may use a passed file again. So no process waits
/// for a process that is stopped or slow.
/// </summary>
internal sealed partial class SegmentAllocator(
    QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks, Participant self, MaintenanceLock maintenance,
    SegmentCache table,
    Retention passed)
    : IDisposable
{
    // Appenders ask for one segment beyond those that are ready; damaged words could ask for any number.
    private const int MostMade = 16;

    // For how many milliseconds to wait for another process's deletion where the disk is full: more than a deletion takes.
    private const int MostWaits = 10;

    // One more than the three segments that a queue uses in turn when its consumers are as fast as its producers.
    private const int DeepFrom = 4;

    // Bytes that a disk reserves in a millisecond, at least.
    private const long Pace = 4 << 20;

    // Longer than it takes to make a segment.
    private static readonly TimeSpan LongestMaking = TimeSpan.FromSeconds(2);

    private readonly long _size = meta.SegmentSize;

    // As long as it takes to make a segment on a calm machine: an appender that has waited so long for another maker makes one itself.
    private readonly TimeSpan _quick = TimeSpan.FromMilliseconds(1 + (meta.SegmentSize / Pace));

    // So that only one thread of this process makes a segment.
    private readonly Lock _making = new();

    // So that only one thread of this process reserves more of the first segment.
    private readonly Lock _reserving = new();

    private readonly SegmentHold _naming = new(control, self.NamingHold);

    // Guards what pool threads are to do; held for a moment at a time.
    private readonly Lock _wish = new();
    private long _wanted = Nothing;

    // A file that was made for a segment which another maker had first; it is for the next segment.
    private string? _blank;
    private Tuple<QueueMeta, long> _latest = Tuple.Create(meta, -1L);

    // For pool threads that delete, or pin and populate ahead, until the allocator is closed.
    private readonly Lock _sync = new();
    private readonly BackgroundRetry _deletion = new();
    private readonly AtomicFlag _owesDeletion = new();
    private readonly AtomicFlag _isDiskFull = new();
    private Segment? _ahead;
    private LargeMessageFiles? _large;
    private bool _closed;

    /// <summary>Notes in segments how many messages there are; null where this handle does not.</summary>
    public MessageCounter? Counter { get; init; }

    /// <summary>Sets the times by which other programs see that a segment which appenders left has changed.</summary>
    public ModifiedTimes? Times { get; init; }

    /// <summary>
    /// Removes subscriptions that have ended, so that no segment stays for their sake; null where this handle does not look for them.
    /// </summary>
    public Func<bool>? RemoveEnded { get; init; }

    /// <summary>The free space that this handle's appenders leave; null where they may take all.</summary>
    public FreeSpaceMargin? Margin { get; init; }

    /// <summary>Whether appenders may use the segment with this index.</summary>
    public bool IsReady(long index) => MachineMemory.Load(ref control.AllocatedEnd) > index;

    // It takes two renames in memory, and a header whose pages are present.
    private bool IsSoonMade => files.IsInMemory && passed.TryFindPassed(out long oldest) && table.IsMapped(oldest);

    /// <summary>
    /// Makes the segments up to this index that do not exist. Returns when appenders may use them. Callers are inside the gate.
    /// </summary>
    /// <param name="index">The last segment's index.</param>
    /// <param name="patience">How long the caller waits at most for a thread of this process that makes the segment.</param>
    /// <exception cref="QueueFullException">The disk has no room for it.</exception>
    public void Ensure(long index, TimeSpan patience)
    {
        if (IsReady(index))
        {
            return;
        }
        bool isFirst = _making.TryEnter(patience < LongestMaking ? _quick : LongestMaking);
        try
        {
            MakeUpTo(index, isFirst);
        }
        finally
        {
            if (isFirst)
            {
                _making.Exit();
            }
        }
    }

    /// <summary>Reserves some more of the first segment, unless all of it is reserved. Callers are inside the gate.</summary>
    /// <exception cref="QueueFullException">The disk has no room for it.</exception>
    public void ReserveMore()
    {
        long before = FirstSegment.Reserved<MachineMemory>(control, _size);
        try
        {
            lock (_reserving)
            {
                // Unless a pool thread has just reserved more.
                if (FirstSegment.Reserved<MachineMemory>(control, _size) == before)
                {
                    maintenance.InDirectory(() => FirstSegment.ReserveMore(files, meta, control, Margin));
                }
            }
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            throw NoRoom("more of the first segment", exception);
        }
    }

    private QueueFullException NoRoom(string what, IOException exception) => new(
        $"{files.Directory}: the disk has no room for {what}: {exception.Message} Nothing was enqueued. Free disk space, let consumers "
        + $"catch up, or use a smaller SegmentSize. {passed.Obstacle}", exception)
    { Path = files.Directory };

    private void MakeUpTo(long index, bool isFirst)
    {
        bool isAlone = isFirst && TryBeAlone(index);
        try
        {
            maintenance.InDirectory(() => MakeMissing(index));
        }
        finally
        {
            if (isAlone)
            {
                CurrentPlatform.Instance.UnlockByte(locks, StoreFormat.MakingLock);
            }
        }
    }

    // A hint, so that not every process makes the same segment. False where another process makes it; that one may be stopped.
    private bool TryBeAlone(long index)
    {
        long started = Stopwatch.GetTimestamp();
        for (var spin = default(SpinWait); !MaintenanceLock.TryLock(locks, StoreFormat.MakingLock); spin.SpinOnce())
        {
            if (IsReady(index) || Stopwatch.GetElapsedTime(started) >= _quick)
            {
                return false;
            }
        }
        return true;
    }

    private void MakeMissing(long index)
    {
        for (long next = ReadReady(index); next <= index; next = ReadReady(index))
        {
            // A file with that name that was not announced: its maker died in between, or has not announced it yet.
            if (!files.Exists(StoreFormat.SegmentName(next * _size)))
            {
                Make(next);
            }
            // Another process may have given the name: it must not be lost when there are messages behind it.
            files.SyncNames();
            // SYNC POINT allocated end: publishes that the segment's file is complete and has its name.
            ControlFile.Raise<MachineMemory>(ref control.AllocatedEnd, next + 1);
            FailPoint.Reach(ProtocolStep.SegmentAnnounced);
        }
    }

    // The end of the ready segments. A damaged word could make any number appear to be missing.
    private long ReadReady(long index)
    {
        long ready = MachineMemory.Load(ref control.AllocatedEnd);
        return ready > index - MostMade && index <= long.MaxValue / _size
            ? ready
            : throw table.Damages.Note(new QueueCorruptException(
                files.PathOf(StoreFormat.ControlName), ControlFormat.AllocatedEndOffset,
                $"it says that {ready} segments are ready, where number {index} is needed. {StoreFormat.Remedy}"));
    }

    private void Make(long index)
    {
        RemoveEnded?.Invoke();
        string? blank = TakeBlank();
        string unfinished = blank ?? StoreFormat.UnfinishedSegmentName(self.OwnerWord, Random.Shared.NextInt64());
        try
        {
            if (blank is null && !TryTakePassed(unfinished))
            {
                Create(unfinished);
            }
            Guid fileId = SegmentFactory.Head(files, unfinished, Latest(), index);
            if (TryGiveName(unfinished, index))
            {
                table.Rename(fileId, index);
            }
            else if (ExchangeBlank(unfinished) is { } other)
            {
                files.Delete(other);
            }
        }
        catch (Exception exception)
        {
            files.Delete(unfinished);
            if (exception is IOException full && DiskFullException.Is(full))
            {
                throw NoRoom($"the next segment of {_size} bytes", full);
            }
            throw;
        }
    }

    // A deletion gives a segment up first, and deletes its file then: in between the disk is as full as before.
    private void Create(string unfinished)
    {
        for (int attempt = 0; ; attempt++)
        {
            try
            {
                Margin?.Require(_size);
                SegmentFactory.Create(files, unfinished, _size);
                return;
            }
            catch (IOException exception) when (DiskFullException.Is(exception) && IsRoomComing(attempt))
            {
            }
        }
    }

    private bool IsRoomComing(int attempt)
    {
        if (attempt == 0)
        {
            // Waits for the thread of this process that is deleting.
            TryDeletePassed();
            return true;
        }
        long last = control.FirstRetained - 1;
        if (attempt > MostWaits || last < 0 || !files.Exists(StoreFormat.SegmentName(last * _size)))
        {
            return false;
        }
        // Another process is deleting, or has died there.
        Thread.Sleep(1);
        return true;
    }

    // Gives up the oldest segment, if every subscription has passed it, and takes its file. False also where the file is damaged, or where
    // an opener has taken it for what a dead process left.
    private bool TryTakePassed(string unfinished)
    {
        Margin?.RequireToReuse();
        if (!passed.TryRetire(spare: 0, out long oldest) || !files.TryMakeUnfinished(StoreFormat.SegmentName(oldest * _size), unfinished))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.SegmentUnnamed);
        if (oldest == 0)
        {
            FirstSegment.ReserveAll(files, unfinished, _size);
        }
        return IsUsable(unfinished);
    }

    // A file whose blocks a copy or a snapshot shares would need new ones when it is written to: a new file reserves its own.
    private bool IsUsable(string unfinished) =>
        new FileInfo(files.PathOf(unfinished)).Length == _size && PrivateBlocks.AreAllOwn(files, unfinished);

    private string? TakeBlank()
    {
        string? blank = ExchangeBlank(null);
        if (blank is null || IsUsable(blank))
        {
            return blank;
        }
        files.Delete(blank);
        return null;
    }

    // While this participant holds the name, no process can give up a segment with that name: so a process that looks now, and is stopped
    // for long before it renames, does not bring a segment back that was given up.
    private bool TryGiveName(string unfinished, long index)
    {
        bool named = false;
        // The file was made in the directory that the path led to then. That is the queue's, or the file's name leads nowhere now and
        // TryName fails.
        maintenance.RequireDirectory();
        _naming.While(index, () => named = !IsReady(index) && files.TryName(unfinished, StoreFormat.SegmentName(index * _size)));
        if (named)
        {
            FailPoint.Reach(ProtocolStep.SegmentRenamed);
        }
        return named;
    }

    private string? ExchangeBlank(string? unfinished)
    {
        lock (_wish)
        {
            (string? blank, _blank) = (_blank, unfinished);
            return blank;
        }
    }

    // The queue's description as it is now. Only an opening changes it.
    private QueueMeta Latest()
    {
        // SYNC POINT schema: acquires the queue.meta that was written before the opening was counted.
        long openings = MachineMemory.Load(ref control.Openings);
        Tuple<QueueMeta, long> latest = _latest;
        if (latest.Item2 != openings)
        {
            _latest = latest = Tuple.Create(SchemaRegistry.Latest(files, meta), openings);
        }
        return latest.Item1;
    }

    /// <summary>Deletes what is left to be deleted, unpins the prepared segment and starts no more work.</summary>
    public void Dispose()
    {
        lock (_making)
            lock (_reserving)
                lock (_sync)
                {
                    // Here, and not in the pool thread, which would come too late.
                    if (!_closed && (_large?.Stop() == true || _owesDeletion.IsSet || AreManyPassed))
                    {
                        TryDeletePassedLocked();
                    }
                    _closed = true;
                    _deletion.Dispose();
                    table.Unpin(_ahead);
                    _ahead = null;
                    DropBlank();
                }
    }

    private void DropBlank()
    {
        try
        {
            if (ExchangeBlank(null) is { } blank)
            {
                files.Delete(blank);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The directory is gone, or the next opener deletes it.
        }
    }
}
