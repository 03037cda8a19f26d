using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Rebuilds the control file's words from the segments after the machine went down, a sync failed, or the control file or a segment was lost. A death of
/// processes alone never needs it: the mapped words outlive them.
/// </summary>
/// <remarks>
/// Every record that stands up stays where it is; what is none becomes a hole (<see cref="LogMender"/>). No position is used twice: what was handed out last may
/// be lost, so the log goes on in a segment that is made for it. After a failed sync the system may take pages for written that are not: those that were not
/// known to be on the disk are written again.
/// </remarks>
internal static class Recovery
{
    /// <summary>Called with the opening lock held.</summary>
    /// <returns>What was found; null where nothing was.</returns>
    public static RecoveryReport? RunIfNeeded(QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks)
    {
        LogWords? words = LogWords.Of(files, meta, control);
        bool isAsLeft = control.BootId == Recommended.Platform.BootId
            && (words is null || (!words.Value.MayBeTorn && !SegmentRange.IsAnyMissing(files, meta, control)));
        if (isAsLeft || Participant.AnyAlive(locks))
        {
            return null;
        }
        var aside = new SetAside(files);
        long messages = Run(files, meta, control, words, aside);
        return aside.Report(messages);
    }

    /// <returns>How many messages the log holds.</returns>
    public static long Run(QueueFiles files, QueueMeta meta, ControlFile control, LogWords? words, SetAside aside)
    {
        using TransactionFile? transactions = TransactionFile.OpenAbove(files.Directory);
        DecidedTransaction? decided = TransactionFile.DecidedFor(transactions, files.Directory, meta.Id);
        var range = new SegmentRange(files, meta, aside);
        range.Find(words);
        using var log = new LogMender(files, meta, aside, words, RecordKind.Hole);
        log.Run(range, decided);
        long tail = log.Seal();
        SyncLog(files, meta, range.First, MachineMemory.Load(ref control.Failed) != 0 ? MachineMemory.Load(ref control.Durable) : tail, tail);
        MachineMemory.Store(ref control.Durable, 0);
        MachineMemory.Store(ref control.KeptState, range.First);
        MachineMemory.Store(ref control.Ready, (tail / meta.SegmentSize) + 1);
        MachineMemory.Store(ref control.Tail, tail);
        MachineMemory.Store(ref control.Durable, tail);
        MachineMemory.Store(ref control.Turn, 0);
        new SubscriptionMender(files, meta, aside).Recover(log, decided);
        FailPoint.Reach(ProtocolStep.RecoveryWordsSet);
        MachineMemory.Store(ref control.Failed, 0);
        control.BootId = Recommended.Platform.BootId;
        TransactionFile.ForgetOwed(files.Directory);
        // Or the next recovery would take what may be torn for damaged: nothing would say how far the log is on the disk.
        SyncOrFail(files.PathOf(StoreFormat.ControlName), control.Sync);
        return log.Messages;
    }

    // The seal above all: were it lost, the next recovery would find what was left behind it.
    private static void SyncLog(QueueFiles files, QueueMeta meta, long first, long unsynced, long tail)
    {
        for (long index = first; index <= tail / meta.SegmentSize; index++)
        {
            string name = StoreFormat.SegmentName(index * meta.SegmentSize);
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
                + "it does. Look after the disk, or copy the directory to another one.", exception) { Outcome = FailureOutcome.NothingDone };
        }
    }
}
