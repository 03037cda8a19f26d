using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The steps of making one segment's file: reserved, so that no later write finds the disk full; headed and synced, so that it survives a
/// power loss; and only then named. Until then it has an unfinished name of its maker's own.
/// </summary>
internal static class SegmentFactory
{
    // A machine that gives its host back what is free has cold memory in large pieces and warm in small ones: 2 MiB in one take 5 ms then
    // instead of 0.15. That is worth it for the few of a small segment; and where a queue grows deep, for what its consumers come to is
    // mapped anew by each of them.
    public static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(20), DeepPatience = TimeSpan.FromSeconds(1);

    /// <summary>Makes a segment of a queue that nobody else has open.</summary>
    /// <exception cref="Platform.DiskFullException">No room; nothing stays behind.</exception>
    public static void Make(QueueFiles files, QueueMeta meta, long index)
    {
        string unfinished = StoreFormat.UnfinishedSegmentName(owner: 0, number: 0);
        try
        {
            Create(files, unfinished, meta.SegmentSize, Patience);
            Head(files, unfinished, meta, index);
            files.Rename(unfinished, StoreFormat.SegmentName(index * meta.SegmentSize));
        }
        catch (IOException)
        {
            files.Delete(unfinished);
            throw;
        }
        FailPoint.Reach(ProtocolStep.SegmentRenamed);
    }

    /// <summary>
    /// Makes the file, and reserves what it takes; in memory as <see cref="Platform.IPlatform.PreallocateInMemory"/> says.
    /// </summary>
    public static void Create(QueueFiles files, string unfinished, long size, TimeSpan patience, Func<bool>? isHurried = null)
    {
        using SafeFileHandle file = files.CreateAnew(unfinished);
        FailPoint.Reach(ProtocolStep.SegmentCreated);
        files.Preallocate(file, size, patience, isHurried);
        FailPoint.Reach(ProtocolStep.SegmentPreallocated);
    }

    /// <summary>
    /// Writes the header, and no record behind it. By writes, not through a mapping: to map and unmap a file that is
    /// written once costs several times as much.
    /// </summary>
    /// <remarks>
    /// Of a file that was a segment before, the blocks are reserved. Its old records need no wiping: nothing behind a zero header is read,
    /// and a record's check holds its position.
    /// </remarks>
    /// <returns>The file's id.</returns>
    public static Guid Head(QueueFiles files, string unfinished, QueueMeta meta, long index)
    {
        int size = meta.HeaderSize + RecordFormat.HeaderSize;
        Span<byte> header = new byte[size];
        using SafeFileHandle file = files.OpenExisting(unfinished);
        RandomAccess.Read(file, header[..SegmentFormat.SchemaOffset], 0);
        Guid before = SegmentHeader.FileId(header);
        SegmentHeader.Write(header[..meta.HeaderSize], meta, index, before);
        QueueFiles.Write(file, header, 0);
        if (before == Guid.Empty)
        {
            RandomAccess.FlushToDisk(file);
        }
        else if (!files.IsInMemory)
        {
            // That alone: the passed records behind it would take long.
            using var written = new MappedRegion(file, size);
            written.Sync(0, size);
        }
        FailPoint.Reach(ProtocolStep.SegmentWritten);
        return SegmentHeader.FileId(header);
    }
}
