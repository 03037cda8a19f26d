using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Makes one segment's file: reserved, so that no later write finds the disk full; headed and synced, so that it survives a power loss;
/// and only then named.
/// </summary>
internal static class SegmentMaker
{
    // A machine that gives its host back what is free has cold memory in large pieces and warm in small ones: 2 MiB in one take 5 ms then instead of 0.15.
    // That is worth it for the few of a small segment; and where a queue grows deep, for what its consumers come to is mapped anew by each of them.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(20), DeepPatience = TimeSpan.FromSeconds(1);

    /// <param name="files">The directory.</param>
    /// <param name="meta">What its header is to say.</param>
    /// <param name="index">The segment's.</param>
    /// <param name="isDeep">Whether there are more of them than a queue goes round whose consumers keep up: then large pages may take long, in memory.</param>
    /// <exception cref="DiskFullException">No room; nothing stays behind.</exception>
    public static void Make(QueueFiles files, QueueMeta meta, long index, bool isDeep = false)
    {
        string name = StoreFormat.SegmentName(index * meta.SegmentSize);
        using SafeFileHandle file = files.CreateUnfinished(name);
        FailPoint.Reach(ProtocolStep.SegmentCreated);
        try
        {
            files.Preallocate(file, meta.SegmentSize, isDeep ? DeepPatience : Patience);
            FailPoint.Reach(ProtocolStep.SegmentPreallocated);
            using (var region = new MappedRegion(file, meta.SegmentSize))
            {
                SegmentFormat.Write(region, meta, index);
            }
            RandomAccess.FlushToDisk(file);
            FailPoint.Reach(ProtocolStep.SegmentWritten);
        }
        catch (IOException)
        {
            files.Delete(name + StoreFormat.UnfinishedSuffix);
            throw;
        }
        files.Rename(name);
        FailPoint.Reach(ProtocolStep.SegmentRenamed);
    }

    /// <summary>
    /// Makes the segment's file from that of one which everybody has passed: its blocks are reserved, its pages in memory and mapped. Old records
    /// need no wiping, for nothing behind a zero header is read, and a record's check holds its position.
    /// </summary>
    /// <param name="files">The directory.</param>
    /// <param name="meta">What its header is to say.</param>
    /// <param name="passed">The passed one, off the list.</param>
    /// <param name="index">The segment's.</param>
    public static void Recycle(QueueFiles files, QueueMeta meta, Segment passed, long index)
    {
        string name = StoreFormat.SegmentName(index * meta.SegmentSize);
        files.MakeUnfinished(StoreFormat.SegmentName(passed.Index * meta.SegmentSize), name);
        FailPoint.Reach(ProtocolStep.SegmentUnnamed);
        passed.Become(meta, index);
        if (!files.IsInMemory)
        {
            passed.Sync(passed.Index * passed.Size, meta.FirstOf(passed.Index) + RecordFormat.HeaderSize);
        }
        FailPoint.Reach(ProtocolStep.SegmentWritten);
        files.Rename(name);
        FailPoint.Reach(ProtocolStep.SegmentRenamed);
    }
}
