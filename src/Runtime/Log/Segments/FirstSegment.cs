using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The first segment of a queue, whose blocks are reserved in steps ahead of the tail, so that a queue with few messages takes little of
/// the disk. All other segments are reserved as a whole when they are made: a queue that needs them has used a whole segment before.
/// </summary>
/// <remarks>
/// A word of the control file says how far the blocks are reserved. It only grows, and only after the blocks are reserved, so an appender
/// that stays in front of it never writes through a mapping to a page for which the disk has no room: that would end the process. A queue
/// that is recovered goes on in its second segment; so nothing depends on the word after a restart of the machine.
/// </remarks>
internal static class FirstSegment
{
    // What a new queue reserves, bytes, and by how much the reservation grows each time.
    private const long FirstStep = 1 << 20;
    private const int Growth = 4;

    // Linux caches a file in pieces, aligned to their size, of at most so many bytes. At a store to a page it finds blocks for the whole
    // piece, and ends the process if there are none: so no piece may lie across the end of what is reserved. While that is the first step,
    // this relies on pieces of 1 MiB at most: they are as large as the device's read-ahead, 128 KiB by default.
    private const long LargestPiece = 2 << 20;

    /// <summary>How many bytes of a new queue's first segment to reserve; 0 for all.</summary>
    public static long ReservedAtFirst(QueueMeta meta) =>
        meta.SegmentSize > SegmentFormat.LargestAtOnce && meta.HeaderSize <= FirstStep / 2 ? FirstStep : 0;

    /// <summary>How many bytes of the segment appenders may use.</summary>
    public static long Reserved<TMem>(ControlFile control, long size) where TMem : struct, ISharedMemory =>
        // SYNC POINT first reserved: acquires that the blocks are reserved.
        TMem.Load(ref control.FirstReserved) is var reserved && reserved > 0 && reserved < size ? reserved : size;

    /// <summary>Reserves the first blocks of the new file; all of them if the file system cannot reserve a part.</summary>
    /// <exception cref="DiskFullException">There is no room for them; the caller deletes the file.</exception>
    public static void ReserveFirst(SafeFileHandle file, long size, long reserved)
    {
        if (!CurrentPlatform.Instance.TryReserve(file, size, 0, reserved))
        {
            CurrentPlatform.Instance.Preallocate(file, size);
        }
    }

    /// <summary>Reserves some more of the segment, unless all of it is reserved.</summary>
    /// <exception cref="DiskFullException">There is no room.</exception>
    public static void ReserveMore(QueueFiles files, QueueMeta meta, ControlFile control, FreeSpaceMargin? margin)
    {
        long reserved = Reserved<MachineMemory>(control, meta.SegmentSize);
        if (reserved == meta.SegmentSize)
        {
            return;
        }
        using SafeFileHandle file = files.OpenExisting(StoreFormat.SegmentName(0));
        long target = files.IsInMemory ? meta.SegmentSize : Math.Min(meta.SegmentSize, Math.Max(reserved, FirstStep) * Growth);
        try
        {
            margin?.Require(target - reserved);
            Reserve(files, meta, file, target);
        }
        catch (DiskFullException) when (reserved + LargestPiece < target)
        {
            target = (reserved + LargestPiece) & -LargestPiece;
            margin?.Require(target - reserved);
            Reserve(files, meta, file, target);
        }
        // SYNC POINT first reserved: publishes that the blocks are reserved.
        ControlFile.Raise<MachineMemory>(ref control.FirstReserved, target);
    }

    // In memory all of the rest at once, as any segment. A file system that cannot reserve a part has had all of it written when the file
    // was made.
    private static void Reserve(QueueFiles files, QueueMeta meta, SafeFileHandle file, long target)
    {
        if (target == meta.SegmentSize && files.IsInMemory)
        {
            files.Preallocate(file, target);
        }
        else if (CurrentPlatform.Instance.TryReserve(file, meta.SegmentSize, 0, target) && !files.IsInMemory)
        {
            // The reservation survives a power loss before the word does that says so.
            RandomAccess.FlushToDisk(file);
        }
    }

    /// <summary>
    /// Reserves what a recovery writes to: it ends the log in the last segment with a gap up to its end. In memory also what it reads,
    /// because there reading takes a page, too. Afterwards the log goes on in another segment, whatever part of this one has no blocks.
    /// </summary>
    /// <exception cref="QueueFullException">There is no room.</exception>
    public static void ReserveForRecovery(QueueFiles files, QueueMeta meta)
    {
        if (meta.SegmentSize <= SegmentFormat.LargestAtOnce || !files.Exists(StoreFormat.SegmentName(0)))
        {
            return;
        }
        try
        {
            using SafeFileHandle file = files.OpenExisting(StoreFormat.SegmentName(0));
            long size = meta.SegmentSize;
            // A file of another length is damaged: the recovery makes it anew.
            if (RandomAccess.GetLength(file) == size && files.HasHoles(file, size))
            {
                // One gap may be too short for the rest of the largest segments: then there are several.
                bool asWhole = files.IsInMemory || size > RecordFormat.MaximumLength;
                long front = asWhole ? size : Front(files, meta, file);
                if (CurrentPlatform.Instance.TryReserve(file, size, 0, front) && front < size)
                {
                    CurrentPlatform.Instance.TryReserve(file, size, size - LargestPiece, LargestPiece);
                }
            }
        }
        catch (Exception exception) when (exception is FileNotFoundException or QueueCorruptException)
        {
            // The recovery finds the same, and reports it.
        }
        catch (DiskFullException exception)
        {
            throw new QueueFullException(
                $"{files.Directory}: the disk has no room to recover the queue: up to 4 MiB; in memory, and in a copy with holes, up to "
                + "the size of the first segment. Nothing was changed. Free disk space, then open the queue again.", exception)
            { Path = files.Directory };
        }
    }

    // The front part, with all records and the end of the log. In a queue that was not copied all of it is reserved, unless the word that
    // says so was lost; a copy may have holes there.
    private static long Front(QueueFiles files, QueueMeta meta, SafeFileHandle file)
    {
        long data = CurrentPlatform.Instance.EndOfData(file, meta.SegmentSize - LargestPiece);
        long needed = Math.Max(data, meta.HeaderSize), reserved = NotedReserved(files);
        // Where it is noted how much is reserved, the log's end is in front of that.
        return needed <= reserved && reserved < meta.SegmentSize
            ? reserved
            : Math.Min(meta.SegmentSize, (needed + SegmentFormat.PageSize + LargestPiece - 1) & -LargestPiece);
    }

    private static long NotedReserved(QueueFiles files)
    {
        Span<byte> word = stackalloc byte[sizeof(long)];
        try
        {
            return files.TryRead(StoreFormat.ControlName, ControlFormat.FirstReservedOffset, word)
                ? BinaryPrimitives.ReadInt64LittleEndian(word)
                : 0;
        }
        catch (QueueCorruptException)
        {
            return 0;
        }
    }

    /// <summary>Reserves all of a file of this size, before it becomes a later segment.</summary>
    /// <exception cref="DiskFullException">There is no room.</exception>
    public static void ReserveAll(QueueFiles files, string name, long size)
    {
        using SafeFileHandle file = files.OpenExisting(name);
        if (RandomAccess.GetLength(file) == size)
        {
            CurrentPlatform.Instance.TryReserve(file, size, 0, size);
        }
    }
}
