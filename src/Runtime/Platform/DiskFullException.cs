namespace BlitQueue.Platform;

/// <summary>
/// The file system had no room for a file whose blocks were to be reserved. Floors above make of it the exception that users see.
/// </summary>
internal sealed class DiskFullException(string message) : IOException(message)
{
    /// <summary>Tells a full disk from other failures of a file.</summary>
    public static bool Is(IOException exception) => exception is DiskFullException || IsFull(exception.HResult & 0xFFFF);

    // .NET puts Windows' error code, or the errno value, into HResult; the same number means other things on the other systems.
    private static bool IsFull(int code) =>
        OperatingSystem.IsWindows() ? WindowsError.IsDiskFull(code) : code is LibC.ENOSPC or LibC.EDQUOT;
}
