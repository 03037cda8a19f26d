using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// The steps of making one segment's file: reserved, so that no later write finds the disk full; headed and synced, so that it survives a power loss; and
/// only then named. Until then it has an unfinished name of its maker's own.
/// </summary>
internal static class SegmentMaker
{
    // A machine that gives its host back what is free has cold memory in large pieces and warm in small ones: 2 MiB in one take 5 ms then instead of 0.15.
    // That is worth it for the few of a small segment; and where a queue grows deep, for what its consumers come to is mapped anew by each of them.
    public static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(20), DeepPatience = TimeSpan.FromSeconds(1);

    /// <summary>Makes a segment of a queue that nobody else has open.</summary>
    /// <param name="files">The directory.</param>
    /// <param name="meta">What its header is to say.</param>
    /// <param name="index">The segment's.</param>
    /// <exception cref="Platform.DiskFullException">No room; nothing stays behind.</exception>
    public static void Make(QueueFiles files, QueueMeta meta, long index)
    {
        string unfinished = StoreFormat.UnfinishedSegmentName(owner: 0, number: 0);
        try
        {
            Create(files, unfinished, meta.SegmentSize, Patience);
            Head(files, unfinished, meta, index, isNew: true);
            files.Rename(unfinished, StoreFormat.SegmentName(index * meta.SegmentSize));
        }
        catch (IOException)
        {
            files.Delete(unfinished);
            throw;
        }
        FailPoint.Reach(ProtocolStep.SegmentRenamed);
    }

    /// <summary>Makes the file, and reserves what it takes.</summary>
    /// <param name="files">The directory.</param>
    /// <param name="unfinished">The file's name.</param>
    /// <param name="size">Bytes.</param>
    /// <param name="patience">How much longer large pages may take, in memory.</param>
    /// <param name="isHurried">Whether somebody waits for the file by now.</param>
    public static void Create(QueueFiles files, string unfinished, long size, TimeSpan patience, Func<bool>? isHurried = null)
    {
        using SafeFileHandle file = files.CreateAnew(unfinished);
        FailPoint.Reach(ProtocolStep.SegmentCreated);
        files.Preallocate(file, size, patience, isHurried);
        FailPoint.Reach(ProtocolStep.SegmentPreallocated);
    }

    /// <summary>Writes the header, and no record behind it.</summary>
    /// <param name="files">The directory.</param>
    /// <param name="unfinished">The file's name.</param>
    /// <param name="meta">What the header is to say.</param>
    /// <param name="index">The segment's.</param>
    /// <param name="isNew">Whether nothing of the file is on the disk yet.</param>
    public static void Head(QueueFiles files, string unfinished, QueueMeta meta, long index, bool isNew)
    {
        using SafeFileHandle file = files.OpenExisting(unfinished);
        using var region = new MappedRegion(file, meta.SegmentSize);
        region.Word(meta.HeaderSize) = 0;
        SegmentFormat.Write(region, meta, index);
        if (isNew)
        {
            RandomAccess.FlushToDisk(file);
        }
        else if (!files.IsInMemory)
        {
            region.Sync(0, meta.HeaderSize + RecordFormat.HeaderSize);
        }
        FailPoint.Reach(ProtocolStep.SegmentWritten);
    }

    /// <summary>
    /// Likewise, of the file of one which everybody has passed: its blocks are reserved, its pages in memory and mapped. Old records need no wiping, for
    /// nothing behind a zero header is read, and a record's check holds its position.
    /// </summary>
    public static void Head(QueueFiles files, Segment passed, QueueMeta meta, long index)
    {
        passed.Become(meta, index);
        if (!files.IsInMemory)
        {
            passed.Sync(passed.Index * passed.Size, meta.FirstOf(passed.Index) + RecordFormat.HeaderSize);
        }
        FailPoint.Reach(ProtocolStep.SegmentWritten);
    }
}
