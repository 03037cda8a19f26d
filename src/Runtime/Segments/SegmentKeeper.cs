using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Makes segments ahead of need and deletes those that everybody has passed. One process at a time does either, under a byte lock that
/// its death gives back; appends go on meanwhile.
/// </summary>
internal sealed partial class SegmentKeeper(
    QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks, SegmentTable table, PassedSegments passed) : IDisposable
{
    // One is left, to become the next one.
    private const int Spare = 1;

    private readonly Lock _sync = new();
    private readonly long _size = meta.SegmentSize;
    private readonly KeepingLock _lock = new(files, locks);
    private readonly RepeatedAttempt _deletion = new();
    private readonly OnceFlag _owesDeletion = new();
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
