namespace BlitQueue.Platform;

/// <summary>A file system that may be read and not written.</summary>
internal static class ReadOnlyDisk
{
    // ERROR_WRITE_PROTECT.
    private const int WindowsWriteProtected = 0x13;

    /// <summary>Tells it from other failures of a file: it is no matter of rights.</summary>
    public static bool Is(Exception exception) => exception is IOException && (exception.HResult & 0xFFFF) is var code
        && code == (OperatingSystem.IsWindows() ? WindowsWriteProtected : LibC.EROFS);
}
