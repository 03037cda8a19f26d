using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Rebuilds the control file's words from the segments after the machine went down, or the control file was lost. A death of processes
/// alone never needs it: the mapped words outlive them.
/// </summary>
/// <remarks>
/// Records are checked from the oldest segment on; the first that does not stand up ends the log. Pages reach the disk in any order, so
/// what lies behind it may be whole, and is not trusted: the segment is sealed there with a pad, and appends go on in a new one.
/// </remarks>
internal static class Recovery
{
    /// <summary>Called with the opening lock held.</summary>
    public static void RunIfNeeded(QueueFiles files, QueueMeta meta, ControlFile control, SafeFileHandle locks)
    {
        if (control.BootId == Recommended.Platform.BootId || Participant.AnyAlive(locks))
        {
            return;
        }
        List<long> indexes = SegmentIndexes(files, meta);
        using var scan = new LogScan(files, meta, indexes[0], indexes[^1]);
        long position = scan.FindEnd(out bool isClean);
        if (!isClean)
        {
            position = Seal(files, meta, indexes, position);
        }
        MachineMemory.Store(ref control.Kept, indexes[0]);
        MachineMemory.Store(ref control.Ready, indexes[^1] + 1);
        MachineMemory.Store(ref control.Tail, position);
        MachineMemory.Store(ref control.Turn, 0);
        RecoverSubscriptions(files, meta, (indexes[0] * meta.SegmentSize) + SegmentFormat.HeaderSize, position);
        FailPoint.Reach(ProtocolStep.RecoveryWordsSet);
        control.BootId = Recommended.Platform.BootId;
    }

    // The run of segments without a gap that ends with the newest; what lies before a gap was being deleted.
    private static List<long> SegmentIndexes(QueueFiles files, QueueMeta meta)
    {
        var indexes = new List<long>();
        foreach (string path in Directory.EnumerateFiles(files.Directory, StoreFormat.SegmentPrefix + "*"))
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
        return (next * meta.SegmentSize) + SegmentFormat.HeaderSize;
    }

    private static void RecoverSubscriptions(QueueFiles files, QueueMeta meta, long first, long tail)
    {
        foreach (string path in Directory.EnumerateFiles(files.Directory, StoreFormat.SubscriptionPrefix + "*"))
        {
            if (path.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal))
            {
                continue;
            }
            using SubscriptionFile file = SubscriptionFile.Open(
                files, meta, Path.GetFileName(path)[StoreFormat.SubscriptionPrefix.Length..]);
            file.Recover(first, tail);
        }
    }
}
