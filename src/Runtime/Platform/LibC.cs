using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>Declarations of the C library's functions that .NET has no managed form of. Linux and macOS.</summary>
internal static partial class LibC
{
    public const int EPERM = 1, ENOENT = 2, EINTR = 4, ENXIO = 6, EAGAIN = 11, EACCES = 13, EFAULT = 14, EEXIST = 17, ENOTDIR = 20,
        EISDIR = 21, EINVAL = 22, ENOTTY = 25, EFBIG = 27, ENOSPC = 28, EROFS = 30, ENOSYS = 38, ELOOP = 40, EOPNOTSUPP = 95,
        ETIMEDOUT = 110, EDQUOT = 122;

    /// <summary>struct flock of 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FileLock
    {
        public short Type;
        public short Whence;
        public long Start;
        public long Length;
        public int Pid;
    }

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    public static partial int FileControl(SafeFileHandle file, int command, ref FileLock fileLock);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    public static partial int LockFile(SafeFileHandle file, int operation);

    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    public static partial int Allocate(SafeFileHandle file, int mode, long offset, long length);

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    public static partial int AdviseMemory(nint address, nuint length, int advice);

    /// <summary>What mmap returns where it fails.</summary>
    public const nint NoMapping = -1;

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    public static partial nint Map(nint address, nuint length, int access, int flags, SafeFileHandle file, long offset);

    /// <summary>mmap of no file.</summary>
    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    public static partial nint Reserve(nint address, nuint length, int access, int flags, int noFile, long offset);

    [LibraryImport("libc", EntryPoint = "mprotect", SetLastError = true)]
    public static partial int Protect(nint address, nuint length, int access);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    public static partial int Unmap(nint address, nuint length);

    [LibraryImport("libc", EntryPoint = "msync", SetLastError = true)]
    public static partial int SyncMemory(nint address, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags);

    /// <summary>
    /// open with the rights of a file that is made. Variadic in C: the third argument goes where a fixed one would, on Linux.
    /// </summary>
    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint rights);

    [LibraryImport("libc", EntryPoint = "fchmod", SetLastError = true)]
    public static partial int SetRights(int file, uint rights);

    /// <summary>
    /// ioctl that reads or sets the flags of a file. Variadic in C: the third argument goes where a fixed one would, on Linux.
    /// </summary>
    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    public static partial int FileFlags(int file, nuint request, ref long flags);

    /// <summary>ioctl that reads or sets the flags of a file.</summary>
    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    public static partial int FileFlags(SafeFileHandle file, nuint request, ref long flags);

    /// <summary>ioctl that lists where a file's bytes lie.</summary>
    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    public static partial int FileExtents(SafeFileHandle file, nuint request, ref ExtentList list);

    public const int ExtentsAtOnce = 32;

    /// <summary>struct fiemap.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ExtentList
    {
        public ulong Start;
        public ulong Length;
        public uint Flags;
        public uint Count;
        public uint Capacity;
        public uint Reserved;
        public ExtentArray Extents;
    }

    [InlineArray(ExtentsAtOnce)]
    public struct ExtentArray
    {
        private Extent _first;
    }

    /// <summary>struct fiemap_extent.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Extent
    {
        public ulong Logical;
        public ulong Physical;
        public ulong Length;
        public ulong Reserved1;
        public ulong Reserved2;
        public uint Flags;
        public uint Reserved3;
        public uint Reserved4;
        public uint Reserved5;
    }

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    public static partial long Seek(SafeFileHandle file, long offset, int whence);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    public static partial int Sync(int file);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int file);

    /// <summary>What a process may use of something; all bits set for no limit.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Limit
    {
        public ulong Soft;
        public ulong Hard;
    }

    [LibraryImport("libc", EntryPoint = "getrlimit", SetLastError = true)]
    public static partial int ReadLimit(int resource, out Limit limit);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    public static partial uint EffectiveUser();

    [LibraryImport("libc", EntryPoint = "fchown", SetLastError = true)]
    public static partial int SetOwner(SafeFileHandle file, uint user, uint group);

    /// <summary>utimensat; the times are those of the last access and the last change.</summary>
    [LibraryImport("libc", EntryPoint = "utimensat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int SetTimes(int directory, string path, ref TimeSpec times, int flags);

    /// <summary>statx; the buffer has 256 bytes.</summary>
    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Status(int directory, string path, int flags, uint mask, ref byte status);

    /// <summary>statx of an open file.</summary>
    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Status(SafeFileHandle file, string empty, int flags, uint mask, ref byte status);

    /// <summary>statfs; the buffer has 256 bytes.</summary>
    [LibraryImport("libc", EntryPoint = "statfs", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int FileSystemStatus(string path, ref byte status);

    /// <summary>renameat2, which not every C library has a function for.</summary>
    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial long Rename(long number, long fromDirectory, string from, long toDirectory, string to, long flags);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int process, int signal);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    public static partial long Futex(long number, nint address, long operation, long value, in TimeSpec timeout, nint unused, long unused3);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    public static partial long FutexWake(long number, nint address, long operation, long count);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    public static partial long MemoryBarrier(long number, long command, long flags, long processor);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    public static partial long FutexWaitAny(
        long number, ref readonly FutexWaiter first, long count, long flags, in TimeSpec deadline, long clock);

    [LibraryImport("libc", EntryPoint = "clock_gettime", SetLastError = true)]
    public static partial int GetTime(int clock, out TimeSpec time);

    /// <summary>struct futex_waitv.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FutexWaiter
    {
        public ulong Value;
        public ulong Address;
        public uint Flags;
        public uint Reserved;
    }

    /// <summary>struct timespec of 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
