using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Rebuilds the control file's words from the segments, after the machine went down, a sync failed, or the control file or a segment was
/// lost, and if the log does not lead to the tail. Never needed if only processes died: the mapped words outlive them.
/// </summary>
/// <remarks>
/// Valid records stay where they are; other bytes become holes (<see cref="LogRepairer"/>). No position is used twice: the last positions
/// that consumers saw may be lost, so the log goes on in a new segment. After a failed sync, the system may consider pages written that are
/// not: so all pages that are not known to be on the disk are written again.
/// </remarks>
internal static class Recovery
{
    /// <summary>Called with the opening lock held.</summary>
    /// <returns>The report; null if nothing was found.</returns>
    public static RecoveryReport? RunIfNeeded(QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks)
    {
        if (Participant.AnyAlive(locks))
        {
            return null;
        }
        if (control.BootId != CurrentPlatform.Instance.BootId)
        {
            Participant.RefuseElsewhere(locks, files.Directory);
        }
        CopiedWords.Distrust(files, meta, control);
        LogBounds? words = LogBounds.Of(meta, control);
        if (IsAsLeft(files, meta, control, words) && (words is null || FitsItsEnd(files, meta, control)))
        {
            return null;
        }
        FirstSegment.ReserveForRecovery(files, meta);
        var aside = new Quarantine(files);
        using var log = new LogRepairer(files, meta, aside, words, DecidedFor(files, meta), RecordKind.Hole)
        {
            Progress = new OpeningProgress(locks),
            Checked = words is { MayBeTorn: true, HasFailed: false } ? position => NoteChecked(control, position) : null,
        };
        if (words is { Checked: 0 })
        {
            MachineMemory.Store(ref control.Checked, 0);
        }
        log.Run();
        log.Seal();
        return Finish(log, files, meta, control, aside);
    }

    /// <summary>Whether the control file's words are as the last handle left them, and all segments exist that they name.</summary>
    public static bool IsAsLeft(QueueFiles files, QueueMeta meta, ControlFile control, LogBounds? words)
        => control.BootId == CurrentPlatform.Instance.BootId
        && (words is null || (!words.Value.MayBeTorn && !SegmentNames.IsAnyMissing(files, meta, control)));

    /// <summary>The committed transaction that may not be completed in a queue; null where there is none.</summary>
    public static DecidedTransaction? DecidedFor(QueueFiles files, QueueMeta meta)
    {
        using var transactions = TransactionFile.OpenAbove(files.Directory);
        return TransactionFile.DecidedFor(transactions, files.Directory, meta.Id) is { } decided && decided.Queues.Any() ? decided : null;
    }

    // If this opening is killed, the next one goes on from here.
    private static void NoteChecked(ControlFile control, long position)
    {
        ControlFile.Raise<MachineMemory>(ref control.Durable, position);
        ControlFile.Raise<MachineMemory>(ref control.Checked, position);
    }

    /// <summary>Makes the control file's words and the subscriptions fit a sealed log, and gives the report.</summary>
    public static RecoveryReport? Finish(LogRepairer log, QueueFiles files, QueueMeta meta, ControlFile control, Quarantine aside)
    {
        long first = log.First / meta.SegmentSize, tail = log.End;
        SyncLog(log, files, meta, log.Words is { HasFailed: true } words ? words.End : tail, tail);
        if (EpochTable.AreUnknown(control))
        {
            aside.Found(StoreFormat.ControlName, StoreCheck.RenamedEpochs);
        }
        // Before the tail: with it the log may go on.
        EpochTable.Begin(control, log.First, tail, () => SyncOrFail(files.PathOf(StoreFormat.ControlName), control.Sync));
        MachineMemory.Store(ref control.Checked, 0);
        MachineMemory.Store(ref control.Durable, 0);
        MachineMemory.Store(ref control.FirstRetainedState, first);
        MachineMemory.Store(ref control.AllocatedEnd, (tail / meta.SegmentSize) + 1);
        MachineMemory.Store(ref control.Tail, tail);
        MachineMemory.Store(ref control.Durable, tail);
        MachineMemory.Store(ref control.Checked, tail);
        MachineMemory.Store(ref control.LockOwner, 0);
        MachineMemory.Store(ref control.FirstReserved, 0);
        MachineMemory.Store(ref control.UnsettledRequeue, ControlFormat.AnyRequeue);
        // The count may be newer on the disk than the subscriptions' files.
        MachineMemory.Store(ref control.SubscriptionFiles, 0);
        new SubscriptionRepairer(files, meta, aside).Recover(log);
        FailPoint.Reach(ProtocolStep.RecoveryWordsSet);
        // Before anything says that the words count: where the disk refuses them, the next opening recovers anew.
        SyncOrFail(files.PathOf(StoreFormat.ControlName), control.Sync);
        MachineMemory.Store(ref control.Failed, 0);
        control.BootId = CurrentPlatform.Instance.BootId;
        TransactionFile.ForgetOwed(files.Directory);
        // Synced, because the next recovery would otherwise take torn bytes for damaged ones: nothing would say how far the log is on the
        // disk.
        SyncOrFail(files.PathOf(StoreFormat.ControlName), control.Sync);
        return aside.Report(aside.Findings.Count == 0 || log.IsAllRead ? log.Messages : log.CountAll());
    }

    // The seal must be on the disk: without it the next recovery would find the records behind it.
    private static void SyncLog(LogRepairer log, QueueFiles files, QueueMeta meta, long unsynced, long tail)
    {
        for (long index = log.FirstRead; index <= tail / meta.SegmentSize; index++)
        {
            string name = StoreFormat.SegmentName(index * meta.SegmentSize);
            log.Progress?.Tick();
            using MappedRegion region = files.Map(name, meta.SegmentSize);
            long start = index * meta.SegmentSize;
            region.Rewrite(Math.Max(0, unsynced - start), Math.Min(meta.SegmentSize, tail - start));
            SyncOrFail(files.PathOf(name), () => region.Sync(0, meta.SegmentSize));
        }
    }

    /// <exception cref="QueueFailedException">The disk refused.</exception>
    public static void SyncOrFail(string path, Action sync)
    {
        try
        {
            sync();
        }
        catch (IOException exception)
        {
            throw new QueueFailedException(
                $"{path}: the disk refuses to take what is written ({exception.Message}). The queue cannot be opened until "
                + "it does. Look after the disk, or copy the directory to another one.", exception)
            { Path = path, Outcome = FailureOutcome.NothingDone };
        }
    }

    private static bool FitsItsEnd(QueueFiles files, QueueMeta meta, ControlFile control) =>
        LeadsToTail(files, meta, control) && PositionCheck.FirstWrong(files, meta, control) is null;

    // Whether the log leads to the tail: an append anywhere else would overwrite messages, or would never be reached by readers. No process
    // appends in the meantime.
    private static bool LeadsToTail(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        long tail = MachineMemory.Load(ref control.Tail), index = tail / meta.SegmentSize;
        string name = StoreFormat.SegmentName(index * meta.SegmentSize);
        using MappedRegion region = files.Map(name, meta.SegmentSize);
        SegmentHeader.Verify(region, meta, index, files.PathOf(name));
        var segment = new Segment(region, meta, index, files.PathOf(name));
        long position = meta.FirstOf(index);
        while (position < tail)
        {
            long header = segment.Header(position);
            int length = RecordFormat.Length(header);
            long after = segment.After(position, length);
            bool leadsOn = RecordFormat.Kind(header) != RecordKind.None && !RecordFormat.Kind(header).IsPad() && after > 0 && after <= tail;
            if (!leadsOn)
            {
                // A damaged record hides where the log goes on: readers report it, and appends go on behind it.
                return header != 0 && (after < 0 || !meta.RecordCheck.Fits(header, position, segment.Payload(position, length)));
            }
            position = after;
        }
        // If an appender died after it published, the tail is in front of its record until the next appender moves it; the dead one still
        // has the lock.
        return segment.Header(tail) == 0 || control.AppendHolder<MachineMemory>() != 0;
    }
}
