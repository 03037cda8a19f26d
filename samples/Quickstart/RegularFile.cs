using System.Runtime.InteropServices;

namespace Quickstart;

/// <summary>Tells files that can be read to an end from links, pipes, sockets, devices and what this user may not read.</summary>
internal static class RegularFile
{
    private const int CurrentDirectory = -100, NoFollow = 0x100;
    private const uint TypeAndMode = 1;
    private const int ModeOffset = 28, TypeMask = 0xF000, Regular = 0x8000;

    /// <summary>Why a file is not sent; null when it is.</summary>
    public static string? WhyNot(string path)
    {
        try
        {
            return WhyNotRegular(path) ?? WhyUnreadable(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return exception.Message;
        }
    }

    private static string? WhyNotRegular(string path) =>
        File.GetAttributes(path).HasFlag(FileAttributes.ReparsePoint) ? "It is a link."
        : IsRegular(path) ? null
        : "It is not a regular file.";

    // Comes second: opening a pipe would wait for its other end.
    private static string? WhyUnreadable(string path)
    {
        File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete).Dispose();
        return null;
    }

    // .NET does not say what kind of file it is. The layout of statx is the same on every CPU.
    private static bool IsRegular(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            return true;
        }
        byte[] facts = new byte[256];
        return statx(CurrentDirectory, path, NoFollow, TypeAndMode, facts) != 0
            || (BitConverter.ToUInt16(facts, ModeOffset) & TypeMask) == Regular;
    }

    [DllImport("libc")]
    private static extern int statx(int folder, [MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags, uint mask, byte[] facts);
}
