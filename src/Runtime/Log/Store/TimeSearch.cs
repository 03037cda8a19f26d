using System.Numerics;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Finds the first message that was enqueued at or after a point in time. Nobody deletes segments meanwhile.
/// </summary>
/// <remarks>
/// A record that bears its time is judged by it alone, so no clock that was set back hides it. Of one that does not, two things are known:
/// it came before the first record of the segment behind its own, and before the next record that bears a time. Where that does not tell,
/// the search stops too early rather than too late.
/// </remarks>
internal sealed class TimeSearch(QueueStore store, long ticks) : IDisposable
{
    private readonly int _shift = BitOperations.Log2((ulong)store.Meta.SegmentSize);
    private readonly RecordReader<MachineMemory> _reader = new(store.Segments, store.Meta);
    private readonly Dictionary<long, long?> _entered = [];
    private readonly long _now = DateTime.UtcNow.Ticks;

    /// <summary>The message's position; the log's end where there is none.</summary>
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

    // What is damaged is passed: consumers are told of it.
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

    // The last segment that holds nothing from this time on, but for those before it, and not in the middle of a batch: what its
    // first records are could not be told there.
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

    // What a record without a time of its own may have at most: that of the first record behind the segment that it ends in.
    private long LatestOf(in RecordRef found)
    {
        long behind = ((found.After - RecordFormat.HeaderSize) >> _shift) + 1;
        return Entered(behind) ?? (store.Meta.FirstOf(behind) > MachineMemory.Load(ref store.Control.Tail) ? _now : long.MaxValue);
    }

    // null where no record has gone in, or nobody lived to note it: nothing follows from that.
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
