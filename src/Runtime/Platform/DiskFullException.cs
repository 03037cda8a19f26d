namespace BlitQueue.Platform;

/// <summary>
/// The file system had no room for a file whose blocks were to be reserved. Floors above make of it the exception that users see.
/// </summary>
internal sealed class DiskFullException(string message) : IOException(message)
{
    // ERROR_DISK_FULL; the others are errno values, which .NET puts into HResult.
    private const int WindowsDiskFull = 0x70;

    /// <summary>Tells a full disk from other failures of a file.</summary>
    public static bool Is(IOException exception) =>
        exception is DiskFullException || (exception.HResult & 0xFFFF) is LibC.ENOSPC or LibC.EDQUOT or WindowsDiskFull;
}
