using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Mappings and their pages; files in memory that use pages of 2 MiB as far as the system has them.</content>
internal partial class LinuxPlatform
{
    // The bytes that one entry of a page table's second-last level covers, on x64 and, with pages of 4 KiB, on arm64.
    private const int LargePage = 2 << 20;

    private const int NoAccess = 0, ForReading = 1, ForWriting = 2;
    private const int Shared = 1, Private = 2, AtAddress = 0x10, OfNoFile = 0x20, Unbacked = 0x4000;
    private const int WillNeed = 3, LetGo = 4, NotForChildren = 10, PopulateRead = 22, PopulateWrite = 23, Collapse = 25;

    // Large pages may take so many times as long as small ones took last, and a moment more.
    private const double TimesSmall = 2;

    // A large page that comes slowly takes as long as three segments of 4 MiB in small pages, so trying again costs a twentieth of those.
    private const int MostFilesWithout = 63;

    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(1);

    // How long 2 MiB in small pages took last; at first, how long they take if the system has memory at hand.
    private TimeSpan _small = TimeSpan.FromMilliseconds(0.5);

    // After a file whose large pages came too slowly, how many files do without, and how many of them are left. Several threads may write
    // them at once: then a file more or less does.
    private int _filesWithout, _filesLeft;

    public virtual FileView Map(SafeFileHandle file, long length, bool isWritten)
    {
        int access = isWritten ? ForReading | ForWriting : ForReading;
        nint address = length < LargePage ? MapAnywhere(file, length, access) : MapAligned(file, length, access);
        LibC.AdviseMemory(address, (nuint)length, NotForChildren);
        return new View(address, length);
    }

    private static nint MapAnywhere(SafeFileHandle file, long length, int access) =>
        Required(LibC.Map(0, (nuint)length, access, Shared, file, 0));

    // A large page is mapped as one only if address and offset have the same remainder; for files in memory the kernel does not choose such
    // an address by itself.
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

    // Old kernels return EINVAL; then each page is faulted in when it is touched, which is slower and correct. For a file in memory, a page
    // that is faulted in for reading can be written too, and the kernel maps sixteen of them at a time: 0.4 us a page instead of 0.9. For a
    // file on a disk each page must be faulted in for writing. Pages that were mapped for reading are dropped first (MADV_DONTNEED, which
    // in a shared mapping drops the entries and not the data): mapping one anew takes 0.2 us, changing it 0.3.
    public bool TryPopulate(nint address, long length, bool inMemory)
    {
        if (!inMemory)
        {
            LibC.AdviseMemory(address, (nuint)length, LetGo);
        }
        return LibC.AdviseMemory(address, (nuint)length, inMemory ? PopulateRead : PopulateWrite) == 0;
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

        // The kernel exchanges the mapping in one step, as far as other threads can see. The new one takes no memory until it is touched.
        // If the kernel refuses, because the process has too many mappings, the file stays mapped: the address is valid either way.
        public override void Detach()
        {
            if (!_isUnmapped)
            {
                _isUnmapped = true;
                LibC.Reserve(Address, (nuint)length, ForReading | ForWriting, Private | OfNoFile | Unbacked | AtAddress, -1, 0);
            }
        }
    }

    // This works also if the system uses no large pages by itself (shmem_enabled is never, the default), because the call asks for them
    // (MADV_COLLAPSE, Linux 6.1). If no large piece of memory is free, or the kernel is older, the rest gets small pages as everywhere.
    public void PreallocateInMemory(SafeFileHandle file, long size)
    {
        if (size % LargePage != 0 || --_filesLeft >= 0)
        {
            Preallocate(file, size);
            return;
        }
        RequireLengthAllowed(size);
        RandomAccess.SetLength(file, size);
        bool isInTime = TryCollapseAll(file, size, out long large);
        _filesLeft = _filesWithout = isInTime ? 0 : Math.Min((2 * _filesWithout) + 1, MostFilesWithout);
        long started = Stopwatch.GetTimestamp();
        Preallocate(file, size);
        if (large < size)
        {
            _small = Stopwatch.GetElapsedTime(started) * LargePage / (size - large);
        }
    }

    // false as soon as a page came too slowly, the last one included, or could not be had.
    private bool TryCollapseAll(SafeFileHandle file, long size, out long done)
    {
        using FileView view = Map(file, size, isWritten: true);
        long started = Stopwatch.GetTimestamp();
        for (done = 0; done < size && TryCollapse(file, view, done);)
        {
            done += LargePage;
            if (Stopwatch.GetElapsedTime(started) - (_small * TimesSmall * done / LargePage) > Moment)
            {
                return false;
            }
        }
        return done == size;
    }

    // The kernel collapses no range without a page in it, and touching a page for which there is no room would end the process. So one page
    // is reserved before.
    protected virtual bool TryCollapse(SafeFileHandle file, FileView view, long offset) =>
        LibC.Allocate(file, 0, offset, Environment.SystemPageSize) == 0
            && LibC.AdviseMemory(view.Address + (nint)offset, LargePage, Collapse) == 0;
}
