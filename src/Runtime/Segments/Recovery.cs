using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Rebuilds the control file's words from the segments after the machine went down, the control file was lost, or a sync failed. A death of
/// processes alone never needs it: the mapped words outlive them.
/// </summary>
/// <remarks>
/// Records are checked from the oldest segment on; the first that does not stand up ends the log. Pages reach the disk in any order, so
/// what lies behind it may be whole, and is not trusted: the segment is sealed there with a pad, and appends go on in a new one. After a
/// failed sync the system may take pages for written that are not: those that were not known to be on the disk are written again.
/// </remarks>
internal static class Recovery
{
    /// <summary>Called with the opening lock held.</summary>
    public static void RunIfNeeded(QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks)
    {
        bool failed = MachineMemory.Load(ref control.Failed) != 0;
        if ((control.BootId == Recommended.Platform.BootId && !failed) || Participant.AnyAlive(locks))
        {
            return;
        }
        List<long> indexes = SegmentIndexes(files, meta);
        using TransactionFile? transactions = TransactionFile.OpenAbove(files.Directory);
        DecidedTransaction? decided = transactions?.Read();
        using var subscriptions = new SubscriptionRecovery(files, meta);
        using var scan = new LogScan(files, meta, indexes[0], indexes[^1], subscriptions.Pass);
        long position = scan.FindEnd(out bool isClean);
        if (isClean && decided is not null)
        {
            position = PublishDecided(files, meta, scan, decided, position, out isClean);
        }
        RefuseToForget(files, meta, control, position, isClean);
        long end = position;
        if (!isClean)
        {
            position = Seal(files, meta, indexes, position);
        }
        SyncLog(files, meta, indexes, failed ? MachineMemory.Load(ref control.Durable) : position, position);
        MachineMemory.Store(ref control.Durable, 0);
        MachineMemory.Store(ref control.Kept, indexes[0]);
        MachineMemory.Store(ref control.Ready, indexes[^1] + 1);
        MachineMemory.Store(ref control.Tail, position);
        MachineMemory.Store(ref control.Durable, position);
        MachineMemory.Store(ref control.Turn, 0);
        subscriptions.Run(meta.FirstOf(indexes[0]), scan.First, end, meta.Id, decided);
        FailPoint.Reach(ProtocolStep.RecoveryWordsSet);
        MachineMemory.Store(ref control.Failed, 0);
        control.BootId = Recommended.Platform.BootId;
    }

    // Records in front of the durable position were on the disk: a power loss has not taken them, so one that does not stand up is damaged.
    private static void RefuseToForget(QueueFiles files, QueueMeta meta, ControlFile control, long end, bool isClean)
    {
        long durable = MachineMemory.Load(ref control.Durable);
        if (end < durable && MachineMemory.Load(ref control.Failed) == 0)
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.SegmentName(end & ~(meta.SegmentSize - 1))), end & (meta.SegmentSize - 1),
                $"{(isClean ? "nothing stands there" : "the record there is damaged")}, though the log was on the disk up to position {durable}. Restore the file "
                + "from a backup, or run Repair (docs/repair.md), which sets what is damaged aside and goes on behind it.");
        }
    }

    /// <summary>The run of segments without a gap that ends with the newest; what lies before a gap was being deleted.</summary>
    public static List<long> SegmentIndexes(QueueFiles files, QueueMeta meta)
    {
        var indexes = new List<long>();
        foreach (string path in Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SegmentPrefix + "*"))
        {
            if (StoreFormat.TryParseSegment(Path.GetFileName(path), out long position))
            {
                indexes.Add(position / meta.SegmentSize);
            }
        }
        if (indexes.Count == 0)
        {
            throw new QueueCorruptException(files.Directory, 0, "the queue has no segment left. Restore the directory from a backup.");
        }
        indexes.Sort();
        int first = indexes.Count - 1;
        while (first > 0 && indexes[first - 1] == indexes[first] - 1)
        {
            first--;
        }
        return indexes[first..];
    }

    private static long Seal(QueueFiles files, QueueMeta meta, List<long> indexes, long position)
    {
        long index = position / meta.SegmentSize;
        // Segments behind the seal hold nothing that counts; they are made anew, zero.
        for (long behind = indexes[^1]; behind > index; behind--)
        {
            files.Delete(StoreFormat.SegmentName(behind * meta.SegmentSize));
            // One after the other, or a gap might be left, and what is in front of it be taken for passed.
            files.SyncNames();
            indexes.Remove(behind);
        }
        long next = indexes[^1] + 1;
        SegmentMaker.Make(files, meta, next);
        FailPoint.Reach(ProtocolStep.RecoverySegmentMade);
        indexes.Add(next);
        // Where the log's last record filled its segment, the damage was the next segment's: there is nothing to seal.
        if (index < next)
        {
            using MappedRegion region = files.Map(StoreFormat.SegmentName(index * meta.SegmentSize), meta.SegmentSize);
            region.Word(position & (meta.SegmentSize - 1)) = new RecordCheck(meta).Header(RecordKind.Pad, position, []);
        }
        FailPoint.Reach(ProtocolStep.RecoverySealed);
        return meta.FirstOf(next);
    }

    // What a committed transaction sends here, and had not been published, or its header had not reached the disk.
    private static long PublishDecided(
        QueueFiles files, QueueMeta meta, LogScan scan, DecidedTransaction decided, long position, out bool isClean)
    {
        isClean = true;
        long header = decided.HeaderAt(meta.Id, position);
        if (header == 0)
        {
            return position;
        }
        using MappedRegion region = files.Map(StoreFormat.SegmentName(position & ~(meta.SegmentSize - 1)), meta.SegmentSize);
        region.Word(position & (meta.SegmentSize - 1)) = header;
        long end = scan.FindEnd(out isClean);
        if (end == position)
        {
            // What it would publish does not stand up.
            region.Word(position & (meta.SegmentSize - 1)) = 0;
            isClean = true;
        }
        return end;
    }

    // The seal above all: were it lost, the next recovery would end the log there, and delete what was made durable behind it.
    private static void SyncLog(QueueFiles files, QueueMeta meta, List<long> indexes, long unsynced, long tail)
    {
        foreach (long index in indexes)
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
                + "it does. Look after the disk, or copy the directory to another one.", exception);
        }
    }
}
