using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>Windows functions that .NET has no managed form of.</summary>
internal static partial class Kernel32
{
    public const uint LockFailImmediately = 1, LockExclusive = 2;
    public const int ErrorLockViolation = 33, ErrorIoPending = 997;

    /// <summary>The OVERLAPPED structure, used for its offset alone.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Overlapped
    {
        public nint Internal;
        public nint InternalHigh;
        public uint Offset;
        public uint OffsetHigh;
        public nint Event;
    }

    [LibraryImport("kernel32", EntryPoint = "LockFileEx", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool LockFile(SafeFileHandle file, uint flags, uint reserved, uint bytes, uint bytesHigh, ref Overlapped where);

    [LibraryImport("kernel32", EntryPoint = "UnlockFileEx", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool UnlockFile(SafeFileHandle file, uint reserved, uint bytes, uint bytesHigh, ref Overlapped where);

    [LibraryImport("kernel32", EntryPoint = "FlushViewOfFile", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool FlushView(nint address, nuint length);
}
