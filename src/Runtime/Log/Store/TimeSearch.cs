using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Finds the first message that was enqueued at or after a point in time. The caller holds all segments.</summary>
/// <remarks>
/// A record with a time is judged by that alone, so a clock that was set back does not hide it. A record without a time was enqueued before
/// the first record of the next segment, and before the next record with a time. If that does not decide, the search stops too early rather
/// than too late.
/// </remarks>
internal sealed class TimeSearch(QueueStore store, long ticks) : IDisposable
{
    private readonly int _shift = BitOperations.Log2((ulong)store.Meta.SegmentSize);
    private readonly RecordReader<MachineMemory> _reader = new(store.Segments, store.Meta);
    private readonly Dictionary<long, long?> _entered = [];
    private readonly long _now = DateTime.UtcNow.Ticks;

    /// <summary>The message's position; the log's end if there is none.</summary>
    public long Find()
    {
        long position = FindStart(), candidate = -1;
        while (TryFind(ref position, out RecordRef found))
        {
            bool isStamped = found.HasProperties & _reader.TryReadTicks(found, PropertyKinds.EnqueuedAt, out long stamp);
            if ((isStamped && stamp >= ticks) || Entered(found.Position >> _shift) >= ticks)
            {
                return candidate >= 0 ? candidate : found.Position;
            }
            if (isStamped)
            {
                candidate = -1;
            }
            else if (candidate < 0 && LatestOf(found) >= ticks)
            {
                candidate = found.Position;
            }
            position = found.After;
            _reader.LeaveBefore(position);
        }
        return candidate >= 0 ? candidate : position;
    }

    // Skips damage: consumers report it.
    private bool TryFind(ref long position, out RecordRef found)
    {
        for (; ; )
        {
            try
            {
                if (_reader.TryFind(SubscriptionFormat.NextWord(position, 0), out found))
                {
                    return true;
                }
                position = Math.Max(position, found.Position);
                if (_reader.EndsAt(position))
                {
                    return false;
                }
            }
            catch (QueueCorruptException exception) when (exception.Hole is not null)
            {
                position = exception.Hole.Value.End;
            }
        }
    }

    // The position at which the search starts: the beginning of the first segment that may have a record from this time on, but not in the
    // middle of a batch, whose first records could not be interpreted there.
    private long FindStart()
    {
        long first = store.Retention.FirstRetainedPosition >> _shift, last = MachineMemory.Load(ref store.Control.Tail) >> _shift,
            index = first;
        while (index < last && Entered(index + 1) < ticks && Stamped(index) < ticks)
        {
            index++;
        }
        while (index > first && _reader.BeginsInBatch(store.Meta.FirstOf(index)))
        {
            index--;
        }
        return index == first ? ((IReadableLog)store).OldestMessage() : store.Meta.FirstOf(index);
    }

    // The latest time that a record without a time may have: that of the first record behind the segment in which it ends.
    private long LatestOf(in RecordRef found)
    {
        long behind = ((found.After - RecordFormat.HeaderSize) >> _shift) + 1;
        return Entered(behind) ?? (store.Meta.FirstOf(behind) > MachineMemory.Load(ref store.Control.Tail) ? _now : long.MaxValue);
    }

    // null if the segment has no record, or if the appender died before it noted the time: nothing follows from that.
    private long? Entered(long index)
    {
        if (!_entered.TryGetValue(index, out long? entered))
        {
            entered = store.Segments.Entered(index);
            _entered.Add(index, entered);
        }
        return entered;
    }

    private long Stamped(long index) => store.Segments.Stamped(index) ?? long.MaxValue;

    public void Dispose() => _reader.Dispose();
}
