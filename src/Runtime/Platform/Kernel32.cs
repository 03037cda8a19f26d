using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>Windows functions that .NET has no managed form of: locks, syncs, and what the system knows about its boot.</summary>
internal static partial class Kernel32
{
    public const uint LockFailImmediately = 1, LockExclusive = 2;

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

    [LibraryImport("kernel32", EntryPoint = "FlushFileBuffers", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool FlushFile(SafeFileHandle file);

    [LibraryImport("kernel32", EntryPoint = "VirtualAlloc", SetLastError = true)]
    public static partial nint Reserve(nint address, nuint length, uint kind, uint access);

    [LibraryImport("kernel32", EntryPoint = "VirtualFree", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Release(nint address, nuint length, uint kind);

    /// <summary>SYSTEM_TIMEOFDAY_INFORMATION; times in units of 100 ns.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct TimeOfDay
    {
        public long BootTime;
        public long CurrentTime;
        public long TimeZoneBias;
        public uint TimeZoneId;
        public uint Reserved;
        public long BootTimeBias;
        public long SleepTimeBias;
    }

    public const nint ThisProcess = -1;

    [LibraryImport("kernel32", EntryPoint = "TerminateProcess", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Terminate(nint process, uint exitCode);

    [LibraryImport("ntdll", EntryPoint = "NtSuspendProcess")]
    public static partial int Suspend(nint process);

    [LibraryImport("ntdll", EntryPoint = "NtQuerySystemInformation")]
    public static partial int ReadTimeOfDay(int what, ref TimeOfDay information, int size, out int length);
}
