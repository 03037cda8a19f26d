using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Mappings and their pages; files in memory that take pages of 2 MiB as far as those are to be had.</content>
internal sealed partial class LinuxPlatform
{
    // What one entry of a page table's last level but one covers, on x64 and, with pages of 4 KiB, on arm64.
    private const int LargePage = 2 << 20;

    private const int NoAccess = 0, ForReading = 1, ForWriting = 2;
    private const int Shared = 1, Private = 2, AtAddress = 0x10, OfNoFile = 0x20, Unbacked = 0x4000;
    private const int WillNeed = 3, LetGo = 4, NotForChildren = 10, PopulateRead = 22, PopulateWrite = 23, Collapse = 25;

    private const double TimesSmall = 2;

    // Of 2 MiB: what it took last, or what it takes where memory is warm.
    private TimeSpan _small = TimeSpan.FromMilliseconds(0.5);

    public FileView Map(SafeFileHandle file, long length, bool isWritten)
    {
        int access = isWritten ? ForReading | ForWriting : ForReading;
        nint address = length < LargePage ? MapAnywhere(file, length, access) : MapAligned(file, length, access);
        LibC.AdviseMemory(address, (nuint)length, NotForChildren);
        return new View(address, length);
    }

    private static nint MapAnywhere(SafeFileHandle file, long length, int access) =>
        Required(LibC.Map(0, (nuint)length, access, Shared, file, 0));

    // A large page is mapped as one only where address and offset agree; in memory the kernel does not see to that by itself.
    private static nint MapAligned(SafeFileHandle file, long length, int access)
    {
        nint reserved = Required(LibC.Reserve(0, (nuint)length + LargePage, NoAccess, Private | OfNoFile | Unbacked, -1, 0));
        nint address = (reserved + LargePage - 1) & -LargePage;
        nint mapped = LibC.Map(address, (nuint)length, access, Shared | AtAddress, file, 0);
        if (mapped == LibC.NoMapping)
        {
            int error = Marshal.GetLastPInvokeError();
            LibC.Unmap(reserved, (nuint)length + LargePage);
            throw Failure("mmap", error);
        }
        UnmapBetween(reserved, address);
        UnmapBetween(address + (nint)length, reserved + (nint)length + LargePage);
        return address;
    }

    private static void UnmapBetween(nint start, nint end)
    {
        if (start < end)
        {
            LibC.Unmap(start, (nuint)(end - start));
        }
    }

    private static nint Required(nint address) =>
        address != LibC.NoMapping ? address : throw Failure("mmap", Marshal.GetLastPInvokeError());

    // Old kernels answer EINVAL; the pages are then faulted in one by one as they are touched, which is slower and correct.
    // In memory what is mapped for reading can be written, too, and is mapped sixteen pages at a time: 0.4 us a page instead of 0.9. On a
    // disk every page has to be said to be written, and those that were mapped for reading are let go first (MADV_DONTNEED: of a shared
    // mapping the entries go, not the data): 0.2 us to map it anew instead of 0.3 to change it.
    public void Populate(nint address, long length, bool inMemory)
    {
        if (inMemory)
        {
            LibC.AdviseMemory(address, (nuint)length, PopulateRead);
            return;
        }
        LibC.AdviseMemory(address, (nuint)length, LetGo);
        LibC.AdviseMemory(address, (nuint)length, PopulateWrite);
    }

    public void ReadAhead(nint address, long length) => LibC.AdviseMemory(address, (nuint)length, WillNeed);

    private sealed class View(nint address, long length) : FileView(address)
    {
        private bool _isUnmapped;

        public override void Dispose()
        {
            if (!_isUnmapped)
            {
                _isUnmapped = true;
                LibC.Unmap(Address, (nuint)length);
            }
        }
    }

    // Also where the system does so for nobody by itself (shmem_enabled is never, the default): a call that asks for it (MADV_COLLAPSE,
    // Linux 6.1) gets it. The rest, for want of memory in one piece or on an older kernel, is in small pages as everywhere.
    public void PreallocateInMemory(SafeFileHandle file, long size, TimeSpan patience, Func<bool>? isHurried)
    {
        if (size % LargePage != 0 || patience == TimeSpan.Zero)
        {
            Preallocate(file, size);
            return;
        }
        RequireLengthAllowed(size);
        RandomAccess.SetLength(file, size);
        long large = CollapseFirst(file, size, patience, isHurried);
        long started = Stopwatch.GetTimestamp();
        Preallocate(file, size);
        if (large < size)
        {
            _small = Stopwatch.GetElapsedTime(started) * LargePage / (size - large);
        }
    }

    // The bytes that are in large pages now.
    private long CollapseFirst(SafeFileHandle file, long size, TimeSpan patience, Func<bool>? isHurried)
    {
        using FileView view = Map(file, size, isWritten: true);
        long started = Stopwatch.GetTimestamp(), done = 0;
        while (done < size && TryCollapse(file, view, done))
        {
            done += LargePage;
            if (Stopwatch.GetElapsedTime(started) - (_small * TimesSmall * done / LargePage) > patience || isHurried?.Invoke() == true)
            {
                break;
            }
        }
        return done;
    }

    // The kernel collapses no stretch in which no page is, and to touch one that there is no room for would
    // end the process: it is reserved before.
    private static bool TryCollapse(SafeFileHandle file, FileView view, long offset) =>
        LibC.Allocate(file, 0, offset, Environment.SystemPageSize) == 0
            && LibC.AdviseMemory(view.Address + (nint)offset, LargePage, Collapse) == 0;
}
