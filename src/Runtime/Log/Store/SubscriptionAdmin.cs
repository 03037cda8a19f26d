using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// What is done to subscriptions as a whole: made, moved, deleted. One is made or deleted under a lock, for which nothing else waits; while
/// one is moved back the segments that are there are held, without a wait.
/// </summary>
internal sealed class SubscriptionAdmin(QueueStore store, TimeSpan patience)
{
    private readonly IReadableLog _log = store;

    /// <summary>
    /// The subscription of this name, made where there is none: behind the newest message, or where <see cref="OldestPromised"/> says.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="atEnd">Whether one that is made starts behind the newest message.</param>
    /// <param name="consumer">
    /// The subscriber: it is noted by the time the call returns, and the subscription stays until it leaves. null: nobody does.
    /// </param>
    /// <param name="isEphemeral">Whether it goes with its last consumer.</param>
    /// <param name="expiresAfter">After how long without a consumer it goes; null: as it is; zero: never.</param>
    /// <exception cref="ArgumentException">
    /// No name for a subscription, or it is there and ephemeral where it is not to be, or the other way round.
    /// </exception>
    /// <exception cref="QueueException">A process that makes or deletes a subscription does not get on.</exception>
    public SubscriptionFile GetOrMake(
        string name, bool atEnd, object? consumer = null, bool isEphemeral = false, TimeSpan? expiresAfter = null)
    {
        QueueName.CheckSubscription(name);
        SubscriptionFile? file = store.Subscriptions.Find(name);
        if (file is null || isEphemeral || expiresAfter is not null || !TrySit(file, consumer))
        {
            WhileAlone(() =>
            {
                store.Ended.RemoveAlone();
                store.Hold.While(first: 0, () => file = store.Subscriptions.Find(name)
                    ?? store.Subscriptions.Make(name, atEnd ? Tail : OldestPromised(), isEphemeral, expiresAfter));
                Join(file!, consumer, isEphemeral, expiresAfter);
            });
        }
        return file!;
    }

    // Looked at behind the note once more: who has it end in between, or removes it, does so with the maintenance lock, and sees the note.
    private bool TrySit(SubscriptionFile file, object? consumer)
    {
        if (file.MayEnd)
        {
            return false;
        }
        if (consumer is not null)
        {
            file.Consumers.Sit(consumer, store.Self);
        }
        if (!file.MayEnd && !file.IsGone)
        {
            return true;
        }
        if (consumer is not null)
        {
            file.Consumers.Leave(consumer, store.Self);
        }
        return false;
    }

    private void Join(SubscriptionFile file, object? consumer, bool isEphemeral, TimeSpan? expiresAfter)
    {
        if (file.IsEphemeral != isEphemeral)
        {
            throw new ArgumentException(
                $"{store.Files.Directory}: the subscription '{file.Name}' is there, and was made "
                + $"{(isEphemeral ? "to stay" : "ephemeral: it goes with its last consumer")}. "
                + $"SubscriptionOptions.Ephemeral is {isEphemeral}; give the value that it was made with, or use another name.", "options");
        }
        if (expiresAfter is { } given)
        {
            file.ExpiresAfter = given;
        }
        if (consumer is not null)
        {
            file.Consumers.Sit(consumer, store.Self);
            ConsumeIfItMayEnd(file, consumer);
        }
    }

    private void ConsumeIfItMayEnd(SubscriptionFile file, object consumer)
    {
        try
        {
            if (file.MayEnd)
            {
                file.Consumers.Join(consumer, store.Self);
            }
        }
        catch
        {
            file.Consumers.Leave(consumer, store.Self);
            throw;
        }
    }

    /// <summary>
    /// Where a new subscription starts: at the oldest message that another one needs or that retention keeps. What happens to be on disk
    /// beside that is a store of files to use again, and would count as not consumed. Where there is no other subscription nothing was ever
    /// consumed: at the oldest on disk.
    /// </summary>
    /// <remarks>
    /// Called while all that is on disk is held: a consumer that moves on meanwhile only makes this older than it need be.
    /// </remarks>
    private long OldestPromised()
    {
        long needed = store.Subscriptions.OldestNeeded();
        long oldest = _log.OldestMessage(needed);
        return needed == long.MaxValue ? oldest : Math.Max(oldest, Math.Min(needed, OldestRetained(needed)));
    }

    // A batch that began in front of what is retained is not retained as a whole, and not shown in part.
    private long OldestRetained(long needed)
    {
        long first = store.Retention.FirstToRetain(needed);
        using var reader = new RecordReader<MachineMemory>(store.Segments, store.Meta);
        return first < needed ? reader.SkipCutBatch(first) : needed;
    }

    /// <returns>false when there is none of this name.</returns>
    public bool Delete(string name)
    {
        bool deleted = false;
        WhileAlone(() => deleted = store.Subscriptions.Delete(name));
        store.WakeDataSleepers();
        store.Allocator.DeletePassedInBackground();
        return deleted;
    }

    /// <summary>Moves every subscription behind the newest message and deletes what no lease needs, retained or not.</summary>
    public void Purge()
    {
        WhileAllStays(MoveToEnd);
        store.Maintenance.InDirectory(store.Retention.DeleteHistory);
    }

    private void MoveToEnd()
    {
        long tail = Tail;
        foreach (SubscriptionFile file in store.Subscriptions.All())
        {
            using Cursor<MachineMemory> cursor = store.CursorOf<MachineMemory>(file);
            var leases = new LeaseTable<MachineMemory>(file, cursor, store.Control, store.Self, store.Transactions);
            cursor.MoveTo(tail, onlyForward: true);
            while (leases.TryDropBefore(tail))
            {
            }
        }
    }

    /// <summary>Makes the message at a position the next of a subscription.</summary>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there.</exception>
    public void Seek(Cursor<MachineMemory> cursor, QueuePosition position) =>
        WhileAllStays(() => cursor.MoveTo(_log.Resolve(cursor.Reader, position)));

    /// <summary>Where a message, or the log's end, is that a position names, as for <see cref="Seek"/>.</summary>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there.</exception>
    public long Find(RecordReader<MachineMemory> reader, QueuePosition position)
    {
        long found = 0;
        WhileAllStays(() => found = _log.Resolve(reader, position));
        return found;
    }

    /// <summary>Makes the first message that was enqueued at or after a point in time, UTC, the next of a subscription.</summary>
    public void SeekTime(Cursor<MachineMemory> cursor, long ticks) => WhileAllStays(() =>
    {
        using var search = new TimeSearch(store, ticks);
        cursor.MoveTo(search.Find());
    });

    private void WhileAlone(Action work) => store.Maintenance.InDirectory(() => store.Maintenance.While(patience, work));

    private void WhileAllStays(Action work) => store.Maintenance.InDirectory(() => store.Hold.While(first: 0, work));

    private long Tail => MachineMemory.Load(ref store.Control.Tail);
}
