using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>What a reader has to know of a log: its directory, what is deleted, and which positions it can move to.</summary>
internal interface IReadableLog
{
    /// <summary>The queue's directory.</summary>
    string Directory { get; }

    QueueMeta Meta { get; }

    SegmentCache Segments { get; }

    /// <summary>The first position that is still on disk.</summary>
    long FirstRetainedPosition { get; }

    /// <summary>Turns a position that a caller gave into that of a message or of the log's end.</summary>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there.</exception>
    long Resolve(RecordReader<MachineMemory> reader, QueuePosition position)
    {
        if (position == QueuePosition.Oldest)
        {
            return OldestMessage();
        }
        if (position == QueuePosition.Newest)
        {
            return End();
        }
        long value = position.Value, first = FirstRetainedPosition;
        if (value < first)
        {
            throw new QueueException(
                $"{Directory}: what was at position {value} is no longer on disk; the log starts at {first}. "
                + "Retain more (RetainBytes, RetainFor), or seek Oldest.")
            { Reason = QueueError.PositionGone, Path = Directory };
        }
        long? tail = Segments.Tail<MachineMemory>();
        // A batch is visible before the tail moves behind it.
        while (value > tail && reader.TryFind(SubscriptionFormat.NextWord(tail.Value, 0), out RecordRef found))
        {
            tail = found.After;
        }
        bool canBe = !(value > tail) && value % 8 == 0 && value % Meta.SegmentSize >= Meta.HeaderSize;
        return canBe && (value == tail || reader.IsRecordStart(value) || (tail is null && value == End()))
            ? value
            : throw new QueueException(
                $"{Directory}: no message begins at position {value}; the log ends at {End()}. Seek a message's position, Oldest or "
                    + "Newest.")
            { Reason = QueueError.PositionGone, Path = Directory };
    }

    /// <summary>The first position that any subscription still needs; the largest number if there is none.</summary>
    long OldestNeeded { get; }

    /// <summary>
    /// The oldest message. A batch whose beginning is deleted counts as deleted, because it became visible as a whole and must not be seen
    /// in part; except those of its messages that a subscription still needs.
    /// </summary>
    long OldestMessage() => OldestMessage(OldestNeeded);

    /// <summary>The same, for callers that know what subscriptions need.</summary>
    long OldestMessage(long needed)
    {
        long first = FirstRetainedPosition;
        using var reader = new RecordReader<MachineMemory>(Segments, Meta);
        long oldest = reader.SkipCutBatch(first);
        return needed >= first ? Math.Min(needed, oldest) : oldest;
    }

    /// <summary>The position behind the last message that is visible.</summary>
    long End()
    {
        if (Segments.Tail<MachineMemory>() is { } tail)
        {
            return tail;
        }
        using var reader = new RecordReader<MachineMemory>(Segments, Meta);
        long position = reader.SkipCutBatch(FirstRetainedPosition);
        RecordRef found;
        while (reader.TryFind(SubscriptionFormat.NextWord(position, 0), out found))
        {
            position = found.After;
            reader.LeaveBefore(position);
        }
        return Math.Max(position, found.Position);
    }
}
