using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// What is done to subscriptions as a whole: made, moved, deleted. One is made or deleted under a lock, for which nothing else waits; while one is moved
/// back the segments that are there are held, without a wait.
/// </summary>
internal sealed class SubscriptionAdmin(QueueStore store, TimeSpan patience)
{
    /// <summary>The subscription of this name, made where there is none: behind the newest message, or at the oldest on disk.</summary>
    /// <exception cref="ArgumentException">No name for a subscription.</exception>
    /// <exception cref="QueueException">A process that makes or deletes a subscription does not get on.</exception>
    public SubscriptionFile GetOrMake(string name, bool atEnd)
    {
        QueueName.CheckSubscription(name);
        SubscriptionFile? file = store.Subscriptions.Find(name);
        if (file is null)
        {
            WhileAlone(() => store.Hold.While(first: 0, () => file = store.Subscriptions.Find(name)
                ?? store.Subscriptions.Make(name, atEnd ? Tail : OldestMessage())));
        }
        return file!;
    }

    /// <returns>false when there is none of this name.</returns>
    public bool Delete(string name)
    {
        bool deleted = false;
        WhileAlone(() => deleted = store.Subscriptions.Delete(name));
        store.WakeDataSleepers();
        store.Keeper.DeletePassedInBackground();
        return deleted;
    }

    /// <summary>Moves every subscription behind the newest message and deletes what no lease needs, retained or not.</summary>
    public void Purge()
    {
        WhileAllStays(MoveToEnd);
        store.Keeping.InDirectory(store.Passed.DeleteHistory);
    }

    private void MoveToEnd()
    {
        long tail = Tail;
        foreach (SubscriptionFile file in store.Subscriptions.All())
        {
            using Cursor<MachineMemory> cursor = Cursor<MachineMemory>.Of(store, file);
            var leases = new LeaseTable<MachineMemory>(file, cursor, store.Control, store.Self, store.Transactions);
            cursor.MoveTo(tail, onlyForward: true);
            while (leases.TryDropBefore(tail))
            {
            }
        }
    }

    /// <summary>Makes the message at a position the next of a subscription.</summary>
    /// <param name="cursor">The subscription's.</param>
    /// <param name="position">0: the oldest; <see cref="long.MaxValue"/>: behind the newest.</param>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there.</exception>
    public void Seek(Cursor<MachineMemory> cursor, long position) =>
        WhileAllStays(() => cursor.MoveTo(Resolve(cursor.Reader, position)));

    /// <summary>Where a message, or the log's end, is that a position names, as for <see cref="Seek"/>.</summary>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there.</exception>
    public long Find(RecordReader<MachineMemory> reader, long position)
    {
        WhileAllStays(() => position = Resolve(reader, position));
        return position;
    }

    private long Resolve(RecordReader<MachineMemory> reader, long position)
    {
        if (position == 0)
        {
            return OldestMessage();
        }
        if (position == long.MaxValue)
        {
            return Tail;
        }
        CheckPosition(reader, position);
        return position;
    }

    /// <summary>Makes the first message that was enqueued at or after a point in time, UTC, the next of a subscription.</summary>
    public void SeekTime(Cursor<MachineMemory> cursor, long ticks) => WhileAllStays(() =>
    {
        using var search = new TimeSearch(store, ticks);
        cursor.MoveTo(search.Find());
    });

    private void WhileAlone(Action work) => store.Keeping.InDirectory(() => store.Keeping.While(patience, work));

    private void WhileAllStays(Action work) => store.Keeping.InDirectory(() => store.Hold.While(first: 0, work));

    private void CheckPosition(RecordReader<MachineMemory> reader, long position)
    {
        long first = store.Passed.FirstKept, tail = Tail;
        if (position < first)
        {
            throw new QueueException(
                $"{store.Files.Directory}: what was at position {position} is no longer on disk; the log starts at {first}. "
                + "Retain more (RetainBytes, RetainFor), or seek Oldest.");
        }
        bool canBe = position <= tail && position % 8 == 0 && position % store.Meta.SegmentSize >= store.Meta.HeaderSize;
        if (position != tail && (!canBe || !reader.IsMessage(position)))
        {
            throw new QueueException(
                $"{store.Files.Directory}: no message begins at position {position}; the log ends at {tail}. "
                + "Seek a lease's Position, Oldest or Newest.");
        }
    }

    private long Tail => MachineMemory.Load(ref store.Control.Tail);

    // A batch whose beginning is gone counts as gone: it became visible as a whole, and is not shown in part.
    private long OldestMessage()
    {
        using var reader = new RecordReader<MachineMemory>(store.Table, store.Meta);
        return reader.SkipCutBatch(store.Passed.FirstKept);
    }
}
