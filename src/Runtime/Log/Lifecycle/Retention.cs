using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The log's old end: decides which segments every subscription has passed and which of them are retained for a while, and gives segments
/// up. One exchange of one word gives a segment up, and its file belongs to the participant that exchanged the word, to use again or to
/// delete.
/// </summary>
internal sealed class Retention(
    QueueFiles files, QueueMeta meta, ControlFile control, Participant self, MaintenanceLock maintenance, SegmentCache table,
    SubscriptionSet subscriptions)
{
    private readonly long _size = meta.SegmentSize;

    /// <summary>Sets how much of what every subscription has passed is retained; null leaves what is set.</summary>
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

    /// <summary>The first position that is still on disk. Within a <see cref="SegmentHold"/> it stays on disk.</summary>
    public long FirstRetainedPosition => meta.FirstOf(control.FirstRetained);

    /// <summary>
    /// How many bytes the log's files may take together before one of them is deleted: up to then passed segments are used again. A new
    /// file costs several times as much as the messages that fill it.
    /// </summary>
    public long ReusedBytes
    {
        get => Math.Max(field, ReusedByLarge);
        set;
    }

    /// <summary>
    /// Consumes the dead letters whose messages are in front of a position, before the segment there is given up; null, or why one of them
    /// cannot be consumed: then the segment stays.
    /// </summary>
    public Func<long, QueueException?> SettleBefore { get; init; } = static _ => null;

    /// <summary>Why the oldest segment stays although every subscription has passed it: a sentence for people; else null.</summary>
    public string? Obstacle { get; private set; }

    /// <summary>As <see cref="ReusedBytes"/>, for a while after a large message (<see cref="LargeMessageFiles"/>); 0 = none.</summary>
    public long ReusedByLarge { get; set; }

    /// <summary>
    /// Finds the oldest segment, if every subscription has passed it and as many more as are spare. It may have to be retained. Takes no
    /// lock.
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
            // A subscription's file is damaged: the deletion looks again, and handles that.
            oldest = 0;
            return true;
        }
    }

    /// <summary>
    /// Deletes the segments that every subscription has passed, except the spare ones, those that are used again, and those that are
    /// retained.
    /// </summary>
    /// <param name="spare">How many passed segments stay.</param>
    /// <param name="reuses">Whether those that are used again stay.</param>
    /// <returns>false where somebody holds one of them for a moment.</returns>
    public bool TryDelete(int spare, bool reuses = true)
    {
        while (TryRetire(spare, out long oldest, reuses ? ReusedBytes : 0))
        {
            Delete(oldest);
        }
        return control.FirstRetained < self.FirstHeld();
    }

    /// <summary>Deletes all segments that every subscription has passed, also those that would be retained.</summary>
    public void DeleteHistory()
    {
        while (TryRetire(spare: 0, out long oldest, ignoreRetention: true))
        {
            Delete(oldest);
        }
    }

    /// <summary>Gives up the oldest segment, if every subscription has passed it and as many more as are spare.</summary>
    /// <param name="spare">How many passed segments stay.</param>
    /// <param name="oldest">The segment's index.</param>
    /// <param name="reusedBytes">As <see cref="ReusedBytes"/>: so many more segments stay as fit beside the ones that are needed.</param>
    /// <param name="ignoreRetention">Whether to give it up although it would be retained.</param>
    public bool TryRetire(int spare, out long oldest, long reusedBytes = 0, bool ignoreRetention = false)
    {
        EndDeadChange();
        long state;
        do
        {
            state = MachineMemory.Load(ref control.FirstRetainedState);
            oldest = ControlFormat.FirstRetainedIndex(state);
            // Reads the holds before the positions: SegmentHold relies on this order.
            if (oldest >= self.FirstHeld() || !IsPassed(oldest, spare, reusedBytes, out long tail) || !IsThere(oldest, tail)
                || (!ignoreRetention && IsRetained(oldest, tail)) || !TrySyncPositions() || !IsSettled(oldest))
            {
                return false;
            }
        }
        // SYNC POINT first retained: from here on the file belongs to this participant alone.
        while (MachineMemory.CompareExchange(ref control.FirstRetainedState, state + 1, state) != state);
        FailPoint.Reach(ProtocolStep.SegmentsRetired);
        return true;
    }

    private bool IsSettled(long index)
    {
        Obstacle = SettleBefore((index + 1) * _size)?.Message;
        return Obstacle is null;
    }

    // True also where the segment's file was lost, but not where too many in a row are missing: then words are damaged, and may name any
    // number of segments.
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

    // Until somebody ends a change that a dead maker or deleter of a subscription began, each look at the subscriptions lists the
    // directory.
    private void EndDeadChange()
    {
        if (subscriptions.IsBeingChanged)
        {
            maintenance.TryWhile(subscriptions.EndDeadChange);
        }
    }

    private bool IsPassed(long oldest, int spare, long reusedBytes, out long tail)
    {
        // The tail is read first: a message that a subscription passes meanwhile does not free the segment that the tail was in.
        tail = MachineMemory.Load(ref control.Tail);
        if (oldest + spare >= tail / _size)
        {
            // Too few segments: no subscription needs to be asked.
            return false;
        }
        long oldestNeeded = Math.Min(subscriptions.OldestNeeded(enough: (oldest + 1) * _size), tail);
        long needed = oldestNeeded / _size, stay = Math.Max(spare, (reusedBytes - (tail - oldestNeeded)) / _size);
        return oldest + stay < needed;
    }

    // After a power loss, and in a copy, no subscription may be before the first segment that is left, because the log may begin there in
    // the middle of a message. In memory, too, where the sync costs two calls that do nothing: a copy on a disk has the same words.
    private bool TrySyncPositions()
    {
        try
        {
            subscriptions.Sync();
            return true;
        }
        catch (Exception exception) when (exception is QueueException or IOException)
        {
            // A segment that may not be passed stays.
            return false;
        }
    }

    // By whole segments: one is retained as long as any of its bytes is.
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
    /// The start of the first retained segment, or <paramref name="end"/> where none before that is retained. Callers hold the segments.
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

    // When the tail left a segment. A process that dies with the first record of the next segment may not have noted that: then it was no
    // later than the one behind was left.
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
        // First, because Windows deletes no mapped file.
        table.Forget(index);
        files.Delete(StoreFormat.SegmentName(index * _size));
        // Its records were perhaps never synced, and will not be: if a power loss brought the file back, the log would end in it, and what
        // is behind would be lost.
        files.SyncNames();
        FailPoint.Reach(ProtocolStep.SegmentDeleted);
    }

    /// <summary>
    /// Deletes segments that dead participants had given up or left unfinished, and subscriptions whose deleter was killed. Needs no lock
    /// of its own: every participant does the same at any time.
    /// </summary>
    public void DeleteLeftovers()
    {
        long tail = MachineMemory.Load(ref control.Tail);
        // Not by one word alone: a damaged one must not cost a message.
        long passed = Math.Min(control.FirstRetained * _size, subscriptions.OldestNeeded() & -_size);
        foreach (string path in NamedFiles.In(files.Directory, StoreFormat.SegmentPrefix))
        {
            string name = Path.GetFileName(path);
            bool isLeft = name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal)
                ? !self.IsAlive<MachineMemory>(StoreFormat.OwnerOfUnfinished(name))
                : StoreFormat.TryParseSegment(name, out long start) && start >= 0 && start < passed && !IsRetained(start / _size, tail);
            if (isLeft)
            {
                files.Delete(name);
            }
        }
        maintenance.TryWhile(() =>
        {
            subscriptions.EndDeadChange();
            subscriptions.DeleteGone();
        });
    }

    /// <summary>
    /// Deletes unfinished files, other than segments, that dead participants left. Callers hold the opening lock: subscriptions are made
    /// under the maintenance lock, and openings make everything else, one at a time.
    /// </summary>
    public void DeleteUnfinished()
    {
        string[] unfinished = Unfinished(files);
        if (unfinished.Length > 0)
        {
            maintenance.TryWhile(() => Array.ForEach(unfinished, path => files.Delete(Path.GetFileName(path))));
        }
    }

    /// <summary>The files that may be left unfinished.</summary>
    public static string[] Unfinished(QueueFiles files) =>
    [
        .. NamedFiles.In(files.Directory, "", StoreFormat.UnfinishedSuffix)
            .Where(static path => Path.GetFileName(path) is var name
                && StoreFormat.IsOurs(name) && !name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal)),
    ];
}
