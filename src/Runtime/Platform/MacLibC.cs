using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>Calls whose form on macOS differs from <see cref="LibC"/>.</summary>
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

    // On Apple's arm64 a variadic argument goes on the stack: six fillers use up the registers before it.
    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    public static partial int FileControl(
        SafeFileHandle file, int command, nint r2, nint r3, nint r4, nint r5, nint r6, nint r7, ref FileLock fileLock);
}
