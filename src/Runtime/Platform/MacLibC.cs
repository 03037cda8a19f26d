using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>Calls whose form on macOS differs from <see cref="LibC"/>, and those that only macOS has.</summary>
internal static partial class MacLibC
{
    /// <summary>struct flock of macOS.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FileLock
    {
        public long Start;
        public long Length;
        public int Pid;
        public short Type;
        public short Whence;
    }

    /// <summary>fcntl on Intel, where a variadic argument goes where a fixed one would.</summary>
    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    public static partial int FileControl(SafeFileHandle file, int command, ref FileLock fileLock);

    /// <summary>fcntl on Apple's arm64, where a variadic argument goes on the stack: six fillers use up the registers before it.</summary>
    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    public static partial int FileControl(
        SafeFileHandle file, int command, nint r2, nint r3, nint r4, nint r5, nint r6, nint r7, ref FileLock fileLock);

    /// <summary>fcntl with a command that has no argument.</summary>
    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    public static partial int FileControl(SafeFileHandle file, int command);

    [LibraryImport("libc", EntryPoint = "dup", SetLastError = true)]
    public static partial int Duplicate(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "sysctlbyname", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int ReadSetting(string name, ref byte value, ref nuint size, nint newValue, nuint newSize);

    /// <summary>macOS 14.4 and newer.</summary>
    [LibraryImport("libSystem", EntryPoint = "os_sync_wait_on_address_with_timeout", SetLastError = true)]
    public static partial int WaitOnAddress(nint address, ulong value, nuint size, uint flags, uint clock, ulong nanoseconds);

    /// <summary>macOS 14.4 and newer.</summary>
    [LibraryImport("libSystem", EntryPoint = "os_sync_wake_by_address_all", SetLastError = true)]
    public static partial int WakeByAddress(nint address, nuint size, uint flags);
}
