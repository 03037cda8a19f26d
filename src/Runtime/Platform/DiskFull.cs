namespace BlitQueue.Platform;

/// <summary>Tells a full disk from other failures of a file.</summary>
internal static class DiskFull
{
    // ERROR_DISK_FULL; the others are errno values, which .NET passes on in HResult.
    private const int WindowsDiskFull = 0x70;

    public static bool Is(IOException exception) =>
        exception is DiskFullException || (exception.HResult & 0xFFFF) is LibC.ENOSPC or LibC.EDQUOT or WindowsDiskFull;
}
