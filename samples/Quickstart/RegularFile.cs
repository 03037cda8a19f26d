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
        if (File.GetAttributes(path).HasFlag(FileAttributes.ReparsePoint))
        {
            return "a link";
        }
        // Opening a pipe would wait for its other end, so the type has to be known before.
        return IsRegular(path) ? WhyUnreadable(path) : "not a regular file";
    }

    private static string? WhyUnreadable(string path)
    {
        try
        {
            File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete).Dispose();
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return exception.Message;
        }
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
