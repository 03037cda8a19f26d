using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Makes a segment's file, in steps. The maker reserves its blocks, so that no later write finds the disk full; writes the header and
/// syncs, so that the file survives a power loss; and only then gives it its name. Until then the file has an unfinished name, which no
/// other maker uses.
/// </summary>
internal static class SegmentFactory
{
    /// <summary>Makes a segment of a queue that no other process has open.</summary>
    /// <param name="files">The queue's.</param>
    /// <param name="meta">The queue's description.</param>
    /// <param name="index">The segment's index.</param>
    /// <param name="reserved">How many of its bytes to reserve; 0 for all.</param>
    /// <exception cref="Platform.DiskFullException">The disk has no room; no file is left.</exception>
    public static void Make(QueueFiles files, QueueMeta meta, long index, long reserved = 0)
    {
        string unfinished = StoreFormat.UnfinishedSegmentName(owner: 0, number: 0);
        try
        {
            Create(files, unfinished, file =>
            {
                if (reserved == 0)
                {
                    files.Preallocate(file, meta.SegmentSize);
                }
                else
                {
                    FirstSegment.ReserveFirst(file, meta.SegmentSize, reserved);
                }
            });
            Head(files, unfinished, meta, index);
            files.NameNew(unfinished, StoreFormat.SegmentName(index * meta.SegmentSize));
        }
        catch (IOException)
        {
            files.Delete(unfinished);
            throw;
        }
        FailPoint.Reach(ProtocolStep.SegmentRenamed);
    }

    /// <summary>Makes the file and reserves its blocks; in memory as <see cref="Platform.IPlatform.PreallocateInMemory"/> says.</summary>
    public static void Create(QueueFiles files, string unfinished, long size) =>
        Create(files, unfinished, file => files.Preallocate(file, size));

    private static void Create(QueueFiles files, string unfinished, Action<SafeFileHandle> reserve)
    {
        using SafeFileHandle file = files.CreateAnew(unfinished);
        FailPoint.Reach(ProtocolStep.SegmentCreated);
        reserve(file);
        FailPoint.Reach(ProtocolStep.SegmentPreallocated);
    }

    /// <summary>
    /// Writes the header, and no record behind it. It uses writes, not a mapping: mapping and unmapping a file that is written once costs
    /// several times as much.
    /// </summary>
    /// <remarks>
    /// A file that was a segment before has its blocks already. Its old records need not be cleared: no reader goes past a zero header,
    /// and a record's check includes its position.
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
            files.Sync(file);
        }
        else if (!files.IsInMemory)
        {
            // The header alone: to clear the passed records behind it would take long.
            using var written = new MappedRegion(file, size);
            written.Sync(0, size);
        }
        FailPoint.Reach(ProtocolStep.SegmentWritten);
        return SegmentHeader.FileId(header);
    }
}
