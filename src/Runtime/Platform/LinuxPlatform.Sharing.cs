using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>File systems that write shared blocks, or all blocks, to new ones instead of in place.</content>
internal partial class LinuxPlatform
{
    private const nuint GetFlags = 0x8008_6601, SetFlags = 0x4008_6602, ListExtents = 0xC020_660B;
    private const long NoCopyOnWrite = 0x80_0000;
    private const uint LastExtent = 1, SharedExtent = 0x2000;
    private const int Unshare = 0x40;

    // The file must be empty. Only btrfs has the flag; other file systems write in place anyway, or cannot promise to.
    private static void WriteInPlace(int file)
    {
        long flags = 0;
        if (LibC.FileFlags(file, GetFlags, ref flags) == 0 && (flags & NoCopyOnWrite) == 0)
        {
            flags |= NoCopyOnWrite;
            LibC.FileFlags(file, SetFlags, ref flags);
        }
    }

    public bool IsWrittenInPlace(SafeFileHandle file)
    {
        long flags = 0;
        return LibC.FileFlags(file, GetFlags, ref flags) == 0 && (flags & NoCopyOnWrite) != 0;
    }

    public bool IsShared(SafeFileHandle file, long offset, long length)
    {
        long end = offset + length;
        while (offset < end)
        {
            if (!TryListExtents(file, offset, end, out LibC.ExtentList list))
            {
                // A file system that does not know the call shares no blocks.
                return false;
            }
            ReadOnlySpan<LibC.Extent> extents = list.Extents[..(int)list.Count];
            foreach (ref readonly LibC.Extent extent in extents)
            {
                if ((extent.Flags & SharedExtent) != 0)
                {
                    return true;
                }
            }
            if (extents.IsEmpty || (extents[^1].Flags & LastExtent) != 0)
            {
                return false;
            }
            offset = (long)(extents[^1].Logical + extents[^1].Length);
        }
        return false;
    }

    // false if the file system does not know the call. After any other refusal nothing is known.
    private static bool TryListExtents(SafeFileHandle file, long offset, long end, out LibC.ExtentList list)
    {
        list = new LibC.ExtentList { Start = (ulong)offset, Length = (ulong)(end - offset), Capacity = LibC.ExtentsAtOnce };
        if (LibC.FileExtents(file, ListExtents, ref list) == 0)
        {
            return true;
        }
        int error = Marshal.GetLastPInvokeError();
        return error is LibC.EOPNOTSUPP or LibC.ENOTTY or LibC.EINVAL or LibC.ENOSYS
            ? false
            : throw Failure("ioctl(FS_IOC_FIEMAP)", error);
    }

    // XFS has a call that gives the part blocks of its own, also while others write there. btrfs has none: the pages are made writable,
    // which reserves blocks for them or is refused, and then written. If the system refuses, a plain store there would have ended the
    // process.
    public bool TryMakePrivate(SafeFileHandle file, long offset, long length)
    {
        if (LibC.Allocate(file, Unshare, offset, length) == 0)
        {
            return true;
        }
        long start = offset & -Environment.SystemPageSize;
        using FileView view = Map(file, offset + length, isWritten: true);
        nint address = view.Address + (nint)start;
        nuint bytes = (nuint)(offset + length - start);
        return LibC.AdviseMemory(address, bytes, PopulateWrite) == 0 && LibC.SyncMemory(address, bytes, SyncNow) == 0;
    }
}
