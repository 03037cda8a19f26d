using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Opening, renaming, deleting and asking by handle.</content>
internal static partial class Kernel32
{
    public const uint GenericRead = 0x8000_0000, GenericWrite = 0x4000_0000, Delete = 0x1_0000, ReadControl = 0x2_0000,
        ReadAttributes = 0x80;
    public const uint ShareContent = 1 | 2, ShareAll = ShareContent | 4;
    public const uint CreateNew = 1, OpenExisting = 3, OpenAlways = 4;

    // FILE_FLAG_OPEN_REPARSE_POINT, FILE_FLAG_BACKUP_SEMANTICS (which opens directories), FILE_FLAG_WRITE_THROUGH and
    // FILE_ATTRIBUTE_TEMPORARY.
    public const uint NoFollow = 0x20_0000, DirectoryToo = 0x200_0000, WriteThrough = 0x8000_0000, Temporary = 0x100;

    /// <summary>FILE_INFO_BY_HANDLE_CLASS.</summary>
    public const int StandardInfo = 1, DispositionInfo = 4, AllocationInfo = 5, AttributeTagInfo = 9, RemoteProtocolInfo = 13,
        FileIdInfo = 18, DispositionInfoEx = 21, RenameInfoEx = 22;

    public const uint SetCompression = 0x9_C040, SetSparse = 0x9_00C4;

    public const uint MoveReplace = 1, MoveWriteThrough = 8;

    /// <summary>FILE_ATTRIBUTE_TAG_INFO.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct AttributeTag
    {
        public uint Attributes;
        public uint ReparseTag;
    }

    /// <summary>FILE_STANDARD_INFO.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Standard
    {
        public long AllocationSize;
        public long EndOfFile;
        public uint NumberOfLinks;
        public byte DeletePending;
        public byte Directory;
    }

    [LibraryImport("kernel32", EntryPoint = "CreateFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial SafeFileHandle CreateFile(
        string path, uint access, uint share, nint security, uint disposition, uint flags, nint template);

    [LibraryImport("kernel32", EntryPoint = "ReOpenFile", SetLastError = true)]
    public static partial SafeFileHandle ReOpenFile(SafeFileHandle file, uint access, uint share, uint flags);

    [LibraryImport("kernel32", EntryPoint = "GetFileType", SetLastError = true)]
    public static partial uint FileType(SafeFileHandle file);

    [LibraryImport("kernel32", EntryPoint = "GetFileInformationByHandleEx", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetAttributeTag(SafeFileHandle file, int what, out AttributeTag information, uint size);

    [LibraryImport("kernel32", EntryPoint = "GetFileInformationByHandleEx", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetStandard(SafeFileHandle file, int what, out Standard information, uint size);

    [LibraryImport("kernel32", EntryPoint = "GetFileInformationByHandleEx", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetInformation(SafeFileHandle file, int what, ref byte information, uint size);

    [LibraryImport("kernel32", EntryPoint = "SetFileInformationByHandle", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetInformation(SafeFileHandle file, int what, ref byte information, uint size);

    [LibraryImport("kernel32", EntryPoint = "DeviceIoControl", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Control(
        SafeFileHandle file, uint code, ref ushort input, uint inputSize, nint output, uint outputSize, out uint returned, nint overlapped);

    [LibraryImport("kernel32", EntryPoint = "MoveFileExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Move(string path, string name, uint flags);

    [LibraryImport("kernel32", EntryPoint = "GetFinalPathNameByHandleW", SetLastError = true)]
    public static partial uint GetFinalPath(SafeFileHandle file, ref byte path, uint size, uint flags);

    [LibraryImport("kernel32", EntryPoint = "GetVolumeInformationByHandleW", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetVolume(
        SafeFileHandle file, nint name, uint nameSize, nint serial, nint longest, nint flags, ref byte fileSystem, uint fileSystemSize);
}
