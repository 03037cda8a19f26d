namespace BlitQueue.Platform;

/// <summary>Picks the implementation for the system that the process runs on.</summary>
internal static class CurrentPlatform
{
    /// <summary>The platform of this process.</summary>
    /// <exception cref="PlatformNotSupportedException">32-bit, big-endian, or an operating system without an implementation.</exception>
    public static IPlatform Instance
    {
        get => field ??= Pick();
        // For tests, before anything was opened.
        set;
    }

    private static IPlatform Pick()
    {
        if (!BitConverter.IsLittleEndian || !Environment.Is64BitProcess)
        {
            throw new PlatformNotSupportedException("BlitQueue needs a 64-bit little-endian process: its files are mapped as they are.");
        }
        return OperatingSystem.IsLinux() ? new LinuxPlatform()
            : OperatingSystem.IsWindows() ? new WindowsPlatform()
            : OperatingSystem.IsMacOS() ? new MacPlatform()
            : throw new PlatformNotSupportedException("BlitQueue runs on Linux, and, untested so far, on Windows and macOS.");
    }
}
