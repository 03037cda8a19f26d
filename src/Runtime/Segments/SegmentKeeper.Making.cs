using System.Diagnostics;
using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <content>
/// Making the next segments, anew or of what everybody has passed. Whoever needs one can make it: under an unfinished name of its own, and the first who gives
/// its file the segment's name has made it. The locks here only see to it that not everybody makes the same one; nobody waits for them longer than it takes to make one.
/// </content>
internal sealed partial class SegmentKeeper
{
    // Appenders ask for one beyond those that are ready; damaged words could ask for any number.
    private const int MostMade = 16;

    // More than the three that a queue goes round whose consumers keep up, and one.
    private const int DeepFrom = 4;

    // Bytes that are reserved in a millisecond, or more.
    private const long Pace = 4 << 20;

    private const int QuickLooks = 30;

    // Longer than it takes to make one in large pages.
    private static readonly TimeSpan LongestMaking = TimeSpan.FromSeconds(2);

    private readonly TimeSpan _quick = TimeSpan.FromMilliseconds(1 + (meta.SegmentSize / Pace));
    private readonly Lock _making = new();
    private readonly SegmentHold _naming = new(control, self.NamingHold);

    // Somebody waits for what a pool thread makes, or for its end.
    private readonly OnceFlag _hurry = new();

    // The one who was waited for the last time has not come to an end: it may be stopped.
    private readonly OnceFlag _isOtherStuck = new();

    private (QueueMeta Meta, long Openings)? _latest;

    // A file that another's was faster than, for the next one.
    private string? _blank;

    // Counts from anywhere: another queue that is made in this one's place may have participants of the same names.
    private long _made = Random.Shared.NextInt64();

    /// <summary>Makes the segments up to this index, unless they are there. Returns when appenders may use it. Called inside the gate.</summary>
    /// <param name="index">The last one's.</param>
    /// <param name="patience">How long the caller may be kept by a thread of this process that makes it in large pages.</param>
    /// <exception cref="QueueFullException">The disk has no room for it.</exception>
    public void Ensure(long index, TimeSpan patience)
    {
        if (IsReady(index))
        {
            return;
        }
        long started = Stopwatch.GetTimestamp();
        bool isPatient = patience >= LongestMaking;
        if (!isPatient)
        {
            _hurry.TrySet();
        }
        bool isFirst = _making.TryEnter(isPatient ? LongestMaking : _quick);
        try
        {
            MakeUpTo(index, isFirst, _quick - Stopwatch.GetElapsedTime(started), isPatient ? SegmentMaker.Patience : TimeSpan.Zero);
        }
        finally
        {
            _hurry.Clear();
            if (isFirst)
            {
                _making.Exit();
            }
        }
    }

    private void MakeUpTo(long index, bool isFirst, TimeSpan patience, TimeSpan patienceForPages)
    {
        long ready = MachineMemory.Load(ref control.Ready);
        if (ready <= index - MostMade || index > long.MaxValue / _size)
        {
            throw new QueueCorruptException(files.PathOf(StoreFormat.ControlName), ControlFormat.ReadyOffset,
                $"it says that {ready} segments are ready, where number {index} is needed. {StoreFormat.Remedy}");
        }
        bool isAlone = isFirst && TryBeAlone(index, patience);
        try
        {
            if (!IsReady(index))
            {
                keeping.InDirectory(() => MakeMissing(index, patienceForPages));
            }
        }
        finally
        {
            if (isAlone)
            {
                Recommended.Platform.UnlockByte(locks, StoreFormat.MakingLock);
            }
        }
    }

    // So that not every process makes the same one. False where another is at it, which may have ended it.
    private bool TryBeAlone(long index, TimeSpan patience)
    {
        long started = Stopwatch.GetTimestamp();
        for (var spin = default(SpinWait); !KeepingLock.TryLock(locks, StoreFormat.MakingLock); )
        {
            if (IsReady(index))
            {
                return false;
            }
            if (_isOtherStuck.IsSet || Stopwatch.GetElapsedTime(started) >= patience || (patience > _quick && _hurry.IsSet))
            {
                _isOtherStuck.TrySet();
                return false;
            }
            if (spin.Count < QuickLooks)
            {
                spin.SpinOnce(sleep1Threshold: -1);
            }
            else
            {
                Thread.Sleep(1);
            }
        }
        _isOtherStuck.Clear();
        return true;
    }

    private void MakeMissing(long index, TimeSpan patienceForPages)
    {
        for (long next = MachineMemory.Load(ref control.Ready); next <= index; next = MachineMemory.Load(ref control.Ready))
        {
            // A file of that name that was not announced: its maker has died in between, or is just about to.
            if (!files.Exists(StoreFormat.SegmentName(next * _size)))
            {
                MakeOrSayFull(next, patienceForPages);
            }
            // Whoever has given the name: it must not be lost once there are messages behind it.
            files.SyncNames();
            // SYNC POINT ready: publishes that the segment's file is complete and has its name.
            ControlFile.Raise(ref control.Ready, next + 1);
            FailPoint.Reach(ProtocolStep.SegmentAnnounced);
        }
    }

    private void MakeOrSayFull(long index, TimeSpan patienceForPages)
    {
        try
        {
            Make(index, patienceForPages);
        }
        catch (IOException exception) when (DiskFull.Is(exception))
        {
            throw new QueueFullException(
                $"{files.Directory}: the disk has no room for the next segment of {_size} bytes. Nothing was enqueued. "
                + "Free disk space, let consumers catch up, or use a smaller SegmentSize.", exception);
        }
    }

    private void Make(long index, TimeSpan patienceForPages)
    {
        string? blank = TakeBlank();
        string unfinished = blank ?? StoreFormat.UnfinishedSegmentName(self.OwnerWord, NextNumber());
        Segment? passedOne = null;
        bool named;
        try
        {
            if (blank is null && !TryTakePassed(unfinished, out passedOne))
            {
                SegmentMaker.Create(files, unfinished, _size, patienceForPages, () => _hurry.IsSet);
            }
            if (passedOne is null)
            {
                SegmentMaker.Head(files, unfinished, Latest(), index, isNew: blank is null);
            }
            else
            {
                SegmentMaker.Head(files, passedOne, Latest(), index);
            }
            named = TryGiveName(unfinished, index);
        }
        catch
        {
            files.Delete(unfinished);
            table.Unpin(passedOne);
            throw;
        }
        if (!named)
        {
            table.Unpin(passedOne);
            KeepBlank(unfinished);
        }
        else if (passedOne is not null)
        {
            table.UnpinAs(passedOne, index);
        }
    }

    // While the name is held, nobody can have given up a segment of that name: who looks now and then was stopped for long does not bring one back.
    private bool TryGiveName(string unfinished, long index)
    {
        bool named = false;
        // The file was made where the path led to then. It is where the queue is, or its name leads nowhere by now.
        keeping.RequireDirectory();
        _naming.While(index, () => named = !IsReady(index) && files.TryName(unfinished, StoreFormat.SegmentName(index * _size)));
        if (named)
        {
            FailPoint.Reach(ProtocolStep.SegmentRenamed);
        }
        return named;
    }

    private bool IsDeep(long index) => index - control.Kept >= DeepFrom;

    // Takes the oldest segment off the list, if everybody has passed it. False also where its file is damaged: nothing of it is left then, nor where the
    // system has no descriptor or mapping left for it; or where an opener has taken it for a dead one's leftover.
    private bool TryTakePassed(string unfinished, out Segment? segment)
    {
        segment = null;
        if (!passed.TryRetire(spare: 0, out long oldest))
        {
            return false;
        }
        string name = StoreFormat.SegmentName(oldest * _size);
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
                files.Delete(name);
            }
        }
        if (segment is not null && files.TryMakeUnfinished(name, unfinished))
        {
            FailPoint.Reach(ProtocolStep.SegmentUnnamed);
            return true;
        }
        table.Unpin(segment);
        segment = null;
        return false;
    }

    private long NextNumber()
    {
        lock (_wish)
        {
            return ++_made;
        }
    }

    private string? TakeBlank()
    {
        lock (_wish)
        {
            string? blank = _blank;
            _blank = null;
            return blank;
        }
    }

    private void KeepBlank(string unfinished)
    {
        lock (_wish)
        {
            if (_blank is null)
            {
                _blank = unfinished;
                return;
            }
        }
        files.Delete(unfinished);
    }

    private void DropBlank()
    {
        try
        {
            if (TakeBlank() is { } blank)
            {
                files.Delete(blank);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The directory is gone, or the next opener deletes it.
        }
    }

    // The queue's description as it is by now. Only who opens a queue changes it.
    private QueueMeta Latest()
    {
        lock (_wish)
        {
            // SYNC POINT schema: acquires the queue.meta that was written before the opening was counted.
            long openings = MachineMemory.Load(ref control.Openings);
            if (_latest is not { } latest || latest.Openings != openings)
            {
                _latest = latest = (SchemaKeeper.Latest(files, meta), openings);
            }
            return latest.Meta;
        }
    }
}
