using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Named events, and the access list of a file.</content>
internal static partial class Kernel32
{
    public const uint ManualReset = 1, ModifyState = 2, Synchronize = 0x10_0000;
    public const uint AccessList = 4;

    /// <summary>MAXIMUM_WAIT_OBJECTS.</summary>
    public const int MostHandles = 64;

    public const uint WaitTimedOut = 0x102, WaitFailed = uint.MaxValue;

    /// <summary>SECURITY_ATTRIBUTES.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SecurityAttributes
    {
        public int Length;
        public nint Descriptor;
        public int IsInherited;
    }

    [LibraryImport("kernel32", EntryPoint = "CreateEventExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial SafeWaitHandle CreateEvent(in SecurityAttributes security, string name, uint flags, uint access);

    [LibraryImport("kernel32", EntryPoint = "OpenEventW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial SafeWaitHandle OpenEvent(uint access, [MarshalAs(UnmanagedType.Bool)] bool isInherited, string name);

    [LibraryImport("kernel32", EntryPoint = "SetEvent", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetEvent(SafeWaitHandle handle);

    [LibraryImport("kernel32", EntryPoint = "WaitForMultipleObjects", SetLastError = true)]
    public static partial uint WaitAny(int count, in nint handles, [MarshalAs(UnmanagedType.Bool)] bool forAll, uint milliseconds);

    [LibraryImport("advapi32", EntryPoint = "GetKernelObjectSecurity", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetSecurity(SafeFileHandle handle, uint what, ref byte descriptor, uint size, out uint needed);

    [LibraryImport("kernel32", EntryPoint = "GetFileInformationByHandle", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetOldInformation(SafeFileHandle file, ref byte information);
}
