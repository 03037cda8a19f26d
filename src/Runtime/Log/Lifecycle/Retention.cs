using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The log's old end: which segments every subscription has passed, which of them are to stay for a while yet, and how one goes. Each is
/// given up by one exchange of one word, and its file is that of the one who has exchanged it, to use again or to delete.
/// </summary>
internal sealed class Retention(
    QueueFiles files, QueueMeta meta, ControlFile control, Participant self, MaintenanceLock maintenance, SegmentCache table,
    SubscriptionSet subscriptions)
{
    private readonly long _size = meta.SegmentSize;

    /// <summary>Sets how much of what every subscription has passed stays; null leaves what is set.</summary>
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

    /// <summary>The first position that is still on disk; stays so inside of a <see cref="SegmentHold"/>.</summary>
    public long FirstRetainedPosition => meta.FirstOf(control.FirstRetained);

    /// <summary>
    /// Bytes that the log's files may take together without one of them being deleted: they are used again. A file that is made anew costs
    /// several times what it takes to fill it.
    /// </summary>
    public long ReusedBytes
    {
        get => Math.Max(field, ReusedByLarge);
        set;
    }

    /// <summary>As <see cref="ReusedBytes"/>, for a while after a large message (<see cref="LargeMessageFiles"/>); 0 = none.</summary>
    public long ReusedByLarge { get; set; }

    /// <summary>
    /// The oldest segment, if every subscription has passed it and more than the spare ones; it may have to be retained. Without any lock.
    /// </summary>
    public bool TryFindPassed(out long oldest, int spare = 0, long reusedBytes = 0)
    {
        try
        {
            oldest = control.FirstRetained;
            return IsPassed(oldest, spare, reusedBytes, out _);
        }
        catch (QueueException)
        {
            // A subscription's file is damaged: the deletion looks again, and deals with it.
            oldest = 0;
            return true;
        }
    }

    /// <summary>
    /// Deletes what every subscription has passed, but for the spare ones, those that are used again, and what is to be retained.
    /// </summary>
    /// <returns>false where a hold keeps some of it for a moment.</returns>
    public bool TryDelete(int spare)
    {
        while (TryRetire(spare, out long oldest, ReusedBytes))
        {
            Delete(oldest);
        }
        return control.FirstRetained < self.FirstHeld();
    }

    /// <summary>Deletes all that every subscription has passed, retained or not.</summary>
    public void DeleteHistory()
    {
        while (TryRetire(spare: 0, out long oldest, ignoreRetention: true))
        {
            Delete(oldest);
        }
    }

    /// <summary>Takes the oldest segment off the list, if every subscription has passed it and more than the spare ones.</summary>
    /// <param name="spare">How many passed ones stay.</param>
    /// <param name="oldest">The segment's index.</param>
    /// <param name="reusedBytes">As <see cref="ReusedBytes"/>: as many more stay as fit beside what is needed.</param>
    /// <param name="ignoreRetention">Whether it goes though it is to be retained.</param>
    public bool TryRetire(int spare, out long oldest, long reusedBytes = 0, bool ignoreRetention = false)
    {
        EndDeadChange();
        long state;
        do
        {
            state = MachineMemory.Load(ref control.FirstRetainedState);
            oldest = ControlFormat.FirstRetainedIndex(state);
            // The holds before the positions, as SegmentHold relies on.
            if (oldest >= self.FirstHeld() || !IsPassed(oldest, spare, reusedBytes, out long tail) || !IsThere(oldest, tail)
                || (!ignoreRetention && IsRetained(oldest, tail)) || !TrySyncPositions())
            {
                return false;
            }
        }
        // SYNC POINT first retained: from here on the file is this one's alone.
        while (MachineMemory.CompareExchange(ref control.FirstRetainedState, state + 1, state) != state);
        FailPoint.Reach(ProtocolStep.SegmentsRetired);
        return true;
    }

    // Also where its file was lost, but not where there are too many of those in a row: then words are damaged,
    // and there is no end to what they name.
    private bool IsThere(long index, long tail)
    {
        for (long next = index; next * _size <= tail && next - index <= SegmentNames.MostMissing; next++)
        {
            if (files.Exists(StoreFormat.SegmentName(next * _size)))
            {
                return true;
            }
        }
        return false;
    }

    // As long as a change is not ended that a dead maker or deleter of a subscription began, each look at the
    // subscriptions is one at the directory.
    private void EndDeadChange()
    {
        if (subscriptions.IsBeingChanged)
        {
            maintenance.TryWhile(subscriptions.EndDeadChange);
        }
    }

    private bool IsPassed(long oldest, int spare, long reusedBytes, out long tail)
    {
        // The tail is read first: a message that a subscription passed meanwhile does not free the segment that was being written.
        tail = MachineMemory.Load(ref control.Tail);
        long oldestNeeded = Math.Min(subscriptions.OldestNeeded(enough: (oldest + 1) * _size), tail);
        long needed = oldestNeeded / _size, stay = Math.Max(spare, (reusedBytes - (tail - oldestNeeded)) / _size);
        return oldest + stay < needed;
    }

    // After a power loss, and in a copy, no subscription may be in front of what is left: there the log may begin in the middle of a
    // message. In memory, too, where it costs two calls that do nothing: a copy on a disk has the same words.
    private bool TrySyncPositions()
    {
        try
        {
            subscriptions.Sync();
            return true;
        }
        catch (Exception exception) when (exception is QueueException or IOException)
        {
            // What is not known to be passed stays.
            return false;
        }
    }

    // By whole segments: one stays until all of it is beyond what is to be retained.
    private bool IsRetained(long index, long tail)
    {
        long bytes = MachineMemory.Load(ref control.RetainBytes), ticks = MachineMemory.Load(ref control.RetainTicks);
        if (bytes > 0 && tail - ((index + 1) * _size) < bytes)
        {
            return true;
        }
        return ticks > 0 && (EndedAt(index, tail) is not { } ended || DateTime.UtcNow.Ticks - ended < ticks);
    }

    /// <summary>
    /// Where the first segment begins that is to be retained, or <paramref name="end"/> where none in front of it is. Inside of a hold.
    /// </summary>
    public long FirstToRetain(long end)
    {
        long tail = MachineMemory.Load(ref control.Tail), index = control.FirstRetained;
        while (meta.FirstOf(index) < end && !IsRetained(index, tail))
        {
            index++;
        }
        return Math.Min(meta.FirstOf(index), end);
    }

    // When the log left a segment. A process that dies with the first record of the next one may not have noted that:
    // then it was not later than the one behind.
    private long? EndedAt(long index, long tail)
    {
        long? ended = null;
        while (ended is null && ++index * _size <= tail && IsThere(index, tail))
        {
            ended = SegmentHeader.ReadEntered(files, StoreFormat.SegmentName(index * _size));
        }
        return ended;
    }

    private void Delete(long index)
    {
        files.Delete(StoreFormat.SegmentName(index * _size));
        // What it held was perhaps never synced, and is not from now on: were it to come back, a log
        // that ends in it would hide what is behind.
        files.SyncNames();
        table.Forget(index);
        FailPoint.Reach(ProtocolStep.SegmentDeleted);
    }

    /// <summary>
    /// Deletes what the dead had taken off the list, or left unfinished, and subscriptions whose deleter was killed. Needs no lock of its
    /// own: those who have the queue open do the same at any time.
    /// </summary>
    public void DeleteLeftovers()
    {
        long tail = MachineMemory.Load(ref control.Tail);
        // Not what the words say alone: one that is damaged must not cost a message.
        long passed = Math.Min(control.FirstRetained * _size, subscriptions.OldestNeeded() & -_size);
        foreach (string path in Directory.EnumerateFiles(files.Directory, StoreFormat.SegmentPrefix + "*"))
        {
            string name = Path.GetFileName(path);
            bool isLeft = name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal)
                ? !self.IsAlive<MachineMemory>(StoreFormat.OwnerOfUnfinished(name))
                : StoreFormat.TryParseSegment(name, out long start) && start >= 0 && start < passed && !IsRetained(start / _size, tail);
            if (isLeft)
            {
                File.Delete(path);
            }
        }
        maintenance.TryWhile(() =>
        {
            subscriptions.EndDeadChange();
            subscriptions.DeleteGone();
        });
    }

    /// <summary>
    /// Deletes what the dead left unfinished of other files than segments. Called with the opening lock held: subscriptions are made under
    /// the maintenance lock, and everything else by openings, one at a time.
    /// </summary>
    public void DeleteUnfinished()
    {
        string[] unfinished = Unfinished(files);
        if (unfinished.Length > 0)
        {
            maintenance.TryWhile(() => Array.ForEach(unfinished, File.Delete));
        }
    }

    /// <summary>The files that may be left so.</summary>
    public static string[] Unfinished(QueueFiles files) =>
    [
        .. Directory.EnumerateFiles(files.Directory, "*" + StoreFormat.UnfinishedSuffix)
            .Where(static path => Path.GetFileName(path) is var name
                && StoreFormat.IsOurs(name) && !name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal)),
    ];
}
