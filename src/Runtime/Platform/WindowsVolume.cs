using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>What a directory is on, wherever links, mounted folders and letters of drives lead.</summary>
internal static class WindowsVolume
{
    private const int LongestName = 64, LongestPath = 1 << 15;

    // FILE_REMOTE_PROTOCOL_INFO.
    private const int ProtocolSize = 116;

    /// <summary>The file system of a directory that exists.</summary>
    public static (FileSystemKind Kind, string Name) Of(string directory)
    {
        using SafeFileHandle file = Open(directory);
        return file.IsInvalid ? WindowsPath.IsShare(directory) ? (FileSystemKind.Network, "a share") : (FileSystemKind.Disk, "unknown")
            : IsRemote(file) ? (FileSystemKind.Network, "a share")
            : NameOf(file) is { } name ? (FileSystems.KindOf(name), name)
            : (FileSystemKind.Disk, "unknown");
    }

    // Without an access right, and following links: the handle is to what the path leads to.
    private static SafeFileHandle Open(string directory) => Kernel32.CreateFile(
        WindowsPath.Extended(directory), Kernel32.ReadAttributes, Kernel32.ShareAll, 0, Kernel32.OpenExisting, Kernel32.DirectoryToo, 0);

    // The first is refused with ERROR_INVALID_PARAMETER for a file of this machine.
    private static bool IsRemote(SafeFileHandle file)
    {
        byte[] protocol = new byte[ProtocolSize];
        return Kernel32.GetInformation(file, Kernel32.RemoteProtocolInfo, ref protocol[0], ProtocolSize)
            || (FinalPathOf(file) is { } path && WindowsPath.IsShare(path));
    }

    /// <summary>The system's own path of a directory: one, whatever links, short names and letters of drives lead to it.</summary>
    /// <returns>null if there is no such directory, or its volume has no name for paths.</returns>
    public static string? FinalPathOf(string directory)
    {
        using SafeFileHandle file = Open(directory);
        return file.IsInvalid ? null : FinalPathOf(file);
    }

    private static string? FinalPathOf(SafeFileHandle file)
    {
        byte[] path = new byte[LongestPath * sizeof(char)];
        uint length = Kernel32.GetFinalPath(file, ref path[0], LongestPath, 0);
        return length is 0 or >= LongestPath ? null : Encoding.Unicode.GetString(path, 0, (int)length * sizeof(char));
    }

    /// <summary>Whether a file keeps its number as long as it is there: on FAT it is where the file's name stands.</summary>
    public static bool NumbersLast(SafeFileHandle file) => NameOf(file) is "NTFS" or "ReFS";

    private static string? NameOf(SafeFileHandle file)
    {
        byte[] name = new byte[LongestName * sizeof(char)];
        return Kernel32.GetVolume(file, 0, 0, 0, 0, 0, ref name[0], LongestName) ? Encoding.Unicode.GetString(name).TrimEnd('\0') : null;
    }
}
