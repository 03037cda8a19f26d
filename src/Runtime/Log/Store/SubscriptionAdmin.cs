using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Makes, moves and deletes subscriptions. Making and deleting take a lock for which no other operation waits; moving one back holds the
/// existing segments, without waiting.
/// </summary>
internal sealed class SubscriptionAdmin(QueueStore store, TimeSpan patience)
{
    private readonly IReadableLog _log = store;

    /// <summary>
    /// The subscription of this name; if there is none, makes it, behind the newest message or at <see cref="OldestPromised"/>.
    /// </summary>
    /// <param name="name">The subscription's name.</param>
    /// <param name="atEnd">Whether a new subscription starts behind the newest message.</param>
    /// <param name="consumer">
    /// The consumer, which is noted before the call returns: the subscription stays until it leaves. null: no consumer.
    /// </param>
    /// <param name="isEphemeral">Whether the subscription is removed when its last consumer leaves.</param>
    /// <param name="expiresAfter">After how long without a consumer the subscription is removed; null: no change; zero: never.</param>
    /// <param name="cancellationToken">Ends the wait for a process that is making or deleting a subscription.</param>
    /// <exception cref="ArgumentException">
    /// The name is invalid, or the subscription exists and is ephemeral although that was not asked for, or the other way round.
    /// </exception>
    /// <exception cref="QueueException">A process that is making or deleting a subscription makes no progress.</exception>
    public SubscriptionFile GetOrMake(
        string name, bool atEnd, object? consumer = null, bool isEphemeral = false, TimeSpan? expiresAfter = null,
        CancellationToken cancellationToken = default)
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
            }, cancellationToken);
        }
        return file!;
    }

    // Looks at the subscription again after the note: a process that ends or removes it holds the maintenance lock, and sees the note.
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
    /// Where a new subscription starts: at the oldest message that another subscription needs or that retention keeps. Older messages on
    /// the disk are only in files that wait to be used again, and would count as not consumed. Without another subscription nothing was
    /// ever consumed: then it starts at the oldest message on disk.
    /// </summary>
    /// <remarks>
    /// Called while all segments are held: if a consumer moves on in the meantime, the result is only older than necessary.
    /// </remarks>
    private long OldestPromised()
    {
        long needed = store.Subscriptions.OldestNeeded();
        long oldest = _log.OldestMessage(needed);
        return needed == long.MaxValue ? oldest : Math.Max(oldest, Math.Min(needed, OldestRetained(needed)));
    }

    // A batch that begins in front of the retained messages is not retained as a whole, and must not be seen in part.
    private long OldestRetained(long needed)
    {
        long first = store.Retention.FirstToRetain(needed);
        using var reader = new RecordReader<MachineMemory>(store.Segments, store.Meta);
        return first < needed ? reader.SkipCutBatch(first) : needed;
    }

    /// <returns>false if there is none of this name.</returns>
    public bool Delete(string name, CancellationToken cancellationToken)
    {
        bool deleted = false;
        WhileAlone(() => deleted = store.Subscriptions.Delete(name), cancellationToken);
        store.WakeDataSleepers();
        store.Allocator.DeletePassedInBackground();
        return deleted;
    }

    /// <summary>
    /// Moves every subscription behind the newest message, and deletes all segments that no lease needs, retained or not.
    /// </summary>
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

    /// <summary>Turns a position that a caller gave into that of a message or of the log's end, as <see cref="Seek"/> does.</summary>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there.</exception>
    public long Find(RecordReader<MachineMemory> reader, QueuePosition position)
    {
        long found = 0;
        WhileAllStays(() => found = _log.Resolve(reader, position));
        return found;
    }

    /// <summary>Makes the first message that was enqueued at or after a time, UTC ticks, the next of a subscription.</summary>
    public void SeekTime(Cursor<MachineMemory> cursor, long ticks) => WhileAllStays(() =>
    {
        using var search = new TimeSearch(store, ticks);
        cursor.MoveTo(search.Find());
    });

    private void WhileAlone(Action work, CancellationToken cancellationToken) =>
        store.Maintenance.InDirectory(() => store.Maintenance.While(new Patience(patience, cancellationToken), work));

    private void WhileAllStays(Action work) => store.Maintenance.InDirectory(() => store.Hold.While(first: 0, work));

    private long Tail => MachineMemory.Load(ref store.Control.Tail);
}
