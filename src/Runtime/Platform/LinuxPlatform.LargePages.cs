using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Files in memory that take pages of 2 MiB as far as those are to be had.</content>
internal sealed partial class LinuxPlatform
{
    private const double TimesSmall = 2;

    // Of 2 MiB: what it took last, or what it takes where memory is warm.
    private TimeSpan _small = TimeSpan.FromMilliseconds(0.5);

    // Also where the system does so for nobody by itself (shmem_enabled is never, the default): who asks for it (MADV_COLLAPSE, Linux 6.1) gets it.
    // The rest, for want of memory in one piece or on an older kernel, is in small pages as everywhere.
    public void PreallocateInMemory(SafeFileHandle file, long size, TimeSpan patience, Func<bool>? isHurried)
    {
        if (size % LargePage != 0 || patience == TimeSpan.Zero)
        {
            Preallocate(file, size);
            return;
        }
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

    // The kernel collapses no stretch in which no page is, and to touch one that there is no room for would end the process: it is reserved before.
    private static bool TryCollapse(SafeFileHandle file, FileView view, long offset) =>
        LibC.Allocate(file, 0, offset, Environment.SystemPageSize) == 0 && LibC.AdviseMemory(view.Address + (nint)offset, LargePage, Collapse) == 0;
}
