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
    /// <exception cref="DiskFullException">No room; nothing stays behind.</exception>
    public static void Make(QueueFiles files, QueueMeta meta, long index)
    {
        string name = StoreFormat.SegmentName(index * meta.SegmentSize);
        using SafeFileHandle file = files.CreateUnfinished(name);
        FailPoint.Reach(ProtocolStep.SegmentCreated);
        try
        {
            Recommended.Platform.Preallocate(file, meta.SegmentSize);
            FailPoint.Reach(ProtocolStep.SegmentPreallocated);
            using (var region = new MappedRegion(file, meta.SegmentSize))
            {
                SegmentFormat.Write(region, meta, index);
            }
            RandomAccess.FlushToDisk(file);
            FailPoint.Reach(ProtocolStep.SegmentWritten);
        }
        catch (DiskFullException)
        {
            files.Delete(name + StoreFormat.UnfinishedSuffix);
            throw;
        }
        files.Rename(name);
        FailPoint.Reach(ProtocolStep.SegmentRenamed);
    }
}
