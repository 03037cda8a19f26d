using System.Diagnostics;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Makes segments ahead of need and deletes those that everybody has passed. One process at a time does either, under a byte lock that
/// its death gives back; appends go on meanwhile.
/// </summary>
internal sealed class SegmentKeeper(
    QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks, SegmentTable table, SubscriptionSet subscriptions)
    : IDisposable
{
    // Making ahead can be left to another process that is at it; what waits for this thread must not wait for that one.
    private static readonly TimeSpan BackgroundPatience = TimeSpan.FromMilliseconds(10);

    private readonly Lock _sync = new();
    private readonly long _size = meta.SegmentSize;
    private readonly OnceFlag _inBackground = new();
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
    /// Has a pool thread make and populate the segment with this index, and delete what everybody has passed. A failure (a full disk)
    /// is left to the append that needs the room: it repeats the attempt and reports.
    /// </summary>
    public void PrepareInBackground(long index)
    {
        if (_inBackground.TrySet())
        {
            ThreadPool.UnsafeQueueUserWorkItem(static state => state.Keeper.Prepare(state.Index), (Keeper: this, Index: index), false);
        }
    }

    /// <summary>Has a pool thread delete what everybody has passed, for a cursor that has just left a segment.</summary>
    public void DeletePassedInBackground()
    {
        ThreadPool.UnsafeQueueUserWorkItem(static keeper => keeper.TryDeletePassed(), this, false);
    }

    /// <summary>Runs something while no process makes or deletes segments: what the log holds stays.</summary>
    /// <exception cref="QueueStalledException">Another process has been at it for longer than the patience.</exception>
    public void WhileKept(TimeSpan patience, Action work)
    {
        lock (_sync)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(SegmentKeeper));
            TakeKeepingLock(patience);
            try
            {
                work();
            }
            finally
            {
                Recommended.Platform.UnlockByte(locks, StoreFormat.KeepingLock);
            }
        }
    }

    /// <summary>Sets how much of what everybody has passed stays; null leaves what is set.</summary>
    public void Retain(long? bytes, TimeSpan? time)
    {
        if (bytes is { } b)
        {
            MachineMemory.Store(ref control.RetainBytes, b);
        }
        if (time is { } t)
        {
            MachineMemory.Store(ref control.RetainTicks, t.Ticks);
        }
    }

    /// <summary>The first position that is still on disk; holds while nobody deletes.</summary>
    public long FirstKept => (MachineMemory.Load(ref control.Kept) * _size) + SegmentFormat.HeaderSize;

    /// <summary>Deletes all that everybody has passed, retained or not. Inside <see cref="WhileKept"/>.</summary>
    public void DeleteHistory()
    {
        while (TryRetire(spare: 0, ignoreRetention: true, out long passed))
        {
            Delete(passed);
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
        finally
        {
            _inBackground.Clear();
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
            segment?.Populate();
            table.Unpin(_ahead);
            _ahead = segment;
        }
    }

    private void TryDeletePassed()
    {
        lock (_sync)
        {
            if (_closed || !Recommended.Platform.TryLockByte(locks, StoreFormat.KeepingLock))
            {
                return;
            }
            try
            {
                DeletePassed();
            }
            catch (IOException)
            {
                // Another attempt follows with the next segment.
            }
            finally
            {
                Recommended.Platform.UnlockByte(locks, StoreFormat.KeepingLock);
            }
        }
    }

    private void TakeKeepingLock(TimeSpan patience)
    {
        long started = Stopwatch.GetTimestamp();
        while (!Recommended.Platform.TryLockByte(locks, StoreFormat.KeepingLock))
        {
            if (Stopwatch.GetElapsedTime(started) > patience)
            {
                throw new QueueStalledException(
                    $"{files.Directory}: another process has been making or deleting a segment for {patience.TotalMilliseconds:0} ms and does not "
                    + "get on. It is stopped, or its disk is slow; let it run, or end it. Nothing was enqueued.");
            }
            Thread.Sleep(1);
        }
    }

    private void MakeUpTo(long index)
    {
        for (long next = MachineMemory.Load(ref control.Ready); next <= index; next++)
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
        if (TryRetire(spare: 0, ignoreRetention: false, out long passed))
        {
            SegmentMaker.Recycle(files, meta, passed, index);
            return;
        }
        try
        {
            SegmentMaker.Make(files, meta, index);
        }
        catch (IOException exception) when (DiskFull.Is(exception))
        {
            throw Full(exception);
        }
    }

    private QueueFullException Full(IOException exception) => new(
        $"{files.Directory}: the disk has no room for the next segment of {_size} bytes. Nothing was enqueued. "
        + "Free disk space, let consumers catch up, or use a smaller SegmentSize.", exception);

    // Called under the keeping lock. One passed segment is left, to become the next one.
    private void DeletePassed()
    {
        while (TryRetire(spare: 1, ignoreRetention: false, out long passed))
        {
            Delete(passed);
        }
    }

    private void Delete(long passed)
    {
        files.Delete(StoreFormat.SegmentName(passed * _size));
        table.Forget(passed);
        FailPoint.Reach(ProtocolStep.SegmentDeleted);
    }

    // Takes the oldest segment off the list, if everybody has passed it and more than the spare ones. Called under the keeping lock.
    private bool TryRetire(int spare, bool ignoreRetention, out long passed)
    {
        // The tail is read first: a message that a subscription passed meanwhile does not free the segment that was being written.
        long tail = MachineMemory.Load(ref control.Tail);
        long needed = Math.Min(subscriptions.OldestNeeded(look: true), tail) / _size;
        passed = MachineMemory.Load(ref control.Kept);
        if (passed + spare >= needed || (!ignoreRetention && IsRetained(passed, tail)))
        {
            return false;
        }
        MachineMemory.Store(ref control.Kept, passed + 1);
        FailPoint.Reach(ProtocolStep.SegmentsRetired);
        return true;
    }

    // By whole segments: one stays until all of it is beyond what is to be retained.
    private bool IsRetained(long index, long tail)
    {
        long bytes = MachineMemory.Load(ref control.RetainBytes), ticks = MachineMemory.Load(ref control.RetainTicks);
        if (bytes > 0 && tail - ((index + 1) * _size) < bytes)
        {
            return true;
        }
        return ticks > 0
            && (SegmentFormat.ReadEntered(files, StoreFormat.SegmentName((index + 1) * _size)) is not { } ended
                || DateTime.UtcNow.Ticks - ended < ticks);
    }

    /// <summary>Deletes what a killed keeper had taken off the list, or left unfinished, and subscriptions whose deleter was killed.</summary>
    public void DeleteLeftovers()
    {
        lock (_sync)
        {
            if (!Recommended.Platform.TryLockByte(locks, StoreFormat.KeepingLock))
            {
                return;
            }
            long kept = MachineMemory.Load(ref control.Kept) * _size;
            foreach (string path in Directory.EnumerateFiles(files.Directory, StoreFormat.SegmentPrefix + "*"))
            {
                if (!StoreFormat.TryParseSegment(Path.GetFileName(path), out long start) || start < kept)
                {
                    File.Delete(path);
                }
            }
            subscriptions.DeleteGone();
            Recommended.Platform.UnlockByte(locks, StoreFormat.KeepingLock);
        }
    }

    /// <summary>Gives the prepared segment back and starts nothing more.</summary>
    public void Dispose()
    {
        lock (_sync)
        {
            _closed = true;
            table.Unpin(_ahead);
            _ahead = null;
        }
    }
}
