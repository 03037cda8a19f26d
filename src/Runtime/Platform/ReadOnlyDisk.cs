namespace BlitQueue.Platform;

/// <summary>A file system that can only be read.</summary>
internal static class ReadOnlyDisk
{
    // ERROR_WRITE_PROTECT.
    private const int WindowsWriteProtected = 0x13;

    /// <summary>Tells it from other failures of a file, such as missing rights.</summary>
    public static bool Is(Exception exception) => exception is IOException && (exception.HResult & 0xFFFF) is var code
        && code == (OperatingSystem.IsWindows() ? WindowsWriteProtected : LibC.EROFS);
}
