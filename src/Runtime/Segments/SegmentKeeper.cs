using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Makes segments ahead of need and deletes those that everybody has passed. Every process may do either at any time: what two of them are at is decided by
/// one name that only one can give, or one word that only one can exchange. So nobody waits for another that is stopped or slow.
/// </summary>
internal sealed partial class SegmentKeeper(
    QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks, Participant self, KeepingLock keeping, SegmentTable table, PassedSegments passed)
    : IDisposable
{
    // One is left, to become the next one.
    private const int Spare = 1;

    // For what threads of the pool delete, and pin and populate ahead: until the keeper is closed.
    private readonly Lock _sync = new();
    private readonly long _size = meta.SegmentSize;
    private readonly RepeatedAttempt _deletion = new();
    private readonly OnceFlag _owesDeletion = new();
    private bool _closed;

    /// <summary>Whether appenders may use the segment with this index.</summary>
    public bool IsReady(long index) => MachineMemory.Load(ref control.Ready) > index;

    /// <summary>Has a pool thread delete what everybody has passed, for a cursor that has just left a segment.</summary>
    /// <remarks>Where a hold keeps some of it, it is tried again: maybe no cursor leaves a segment later.</remarks>
    public void DeletePassedInBackground()
    {
        if (passed.TryFindPassed(out _, Spare, passed.ReusedBytes))
        {
            _owesDeletion.TrySet();
            _deletion.Start(TryDeletePassed);
        }
    }

    // False where it is to be tried again.
    private bool TryDeletePassed()
    {
        lock (_sync)
        {
            // The control file may be unmapped once the keeper is closed.
            return _closed || TryDeletePassedLocked();
        }
    }

    private bool TryDeletePassedLocked()
    {
        bool done = true;
        _owesDeletion.Clear();
        try
        {
            keeping.InDirectory(() => done = passed.TryDelete(Spare));
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

    /// <summary>Deletes what is left to be deleted, gives the prepared segment back and starts nothing more.</summary>
    public void Dispose()
    {
        _hurry.TrySet();
        lock (_making)
        lock (_sync)
        {
            // Not left to the pool thread, which would come too late.
            if (!_closed && _owesDeletion.IsSet)
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
}
