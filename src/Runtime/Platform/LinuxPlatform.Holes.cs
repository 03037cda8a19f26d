using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Parts of a file that have no blocks, and parts that were never written.</content>
internal partial class LinuxPlatform
{
    private const uint Blocks = 0x400;
    private const int BlocksOffset = 48, BlockSize = 512;
    private const int NextData = 3, NextHole = 4;

    // The number of blocks alone does not tell on a disk: some of them may be the file system's own, for the list of the others. In memory,
    // where there is no such list, it does.
    public bool HasHoles(SafeFileHandle file, long length)
    {
        for (long offset = 0; offset < length;)
        {
            if (!TryListExtents(file, offset, length, out LibC.ExtentList list))
            {
                return BlocksOf(file) * BlockSize < length;
            }
            ReadOnlySpan<LibC.Extent> extents = list.Extents[..(int)list.Count];
            foreach (ref readonly LibC.Extent extent in extents)
            {
                if ((long)extent.Logical > offset)
                {
                    return true;
                }
                offset = (long)(extent.Logical + extent.Length);
            }
            if (offset < length && (extents.IsEmpty || (extents[^1].Flags & LastExtent) != 0))
            {
                return true;
            }
        }
        return false;
    }

    private static long BlocksOf(SafeFileHandle file)
    {
        Span<byte> status = stackalloc byte[StatusSize];
        return LibC.Status(file, "", OfHandle, Blocks, ref status[0]) == 0
            ? BinaryPrimitives.ReadInt64LittleEndian(status[BlocksOffset..])
            : throw Failure("statx", Marshal.GetLastPInvokeError());
    }

    // What is reserved and was never written counts as a hole there.
    public long EndOfData(SafeFileHandle file, long offset)
    {
        long end = 0;
        while (end < offset && TrySeek(file, end, NextData, offset) is var data && data < offset)
        {
            end = TrySeek(file, data, NextHole, offset);
        }
        return Math.Min(end, offset);
    }

    // The end if there is no more data there, or the file system does not tell.
    private static long TrySeek(SafeFileHandle file, long offset, int whence, long end) =>
        LibC.Seek(file, offset, whence) is var found and >= 0 ? found
            : Marshal.GetLastPInvokeError() is var error && error is LibC.ENXIO or LibC.EINVAL ? end
            : throw Failure("lseek", error);
}
