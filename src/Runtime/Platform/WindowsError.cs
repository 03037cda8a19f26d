namespace BlitQueue.Platform;

/// <summary>Windows' error codes, by their names in winerror.h, and the exceptions of .NET for them.</summary>
internal static class WindowsError
{
    public const int InvalidFunction = 1, FileNotFound = 2, PathNotFound = 3, AccessDenied = 5, SharingViolation = 32, LockViolation = 33,
        HandleDiskFull = 39, NotSupported = 50, FileExists = 80, InvalidParameter = 87, DiskFull = 112, CallNotImplemented = 120,
        AlreadyExists = 183, IoPending = 997, UserMappedFile = 1224, DiskQuotaExceeded = 1295;

    private const int Win32Facility = unchecked((int)0x8007_0000);

    /// <summary>No room on the disk, or in the user's part of it.</summary>
    public static bool IsDiskFull(int error) => error is DiskFull or HandleDiskFull or DiskQuotaExceeded;

    /// <summary>The file system does not know the call.</summary>
    public static bool IsUnknownCall(int error) => error is InvalidFunction or NotSupported or InvalidParameter or CallNotImplemented;

    /// <summary>What a virus scanner or an indexer causes for a moment, which opens each new file.</summary>
    public static bool IsMomentary(int error) => error is AccessDenied or SharingViolation;

    /// <summary>The exception that .NET's own call would throw.</summary>
    public static Exception Of(string call, string path, int error) => error switch
    {
        FileNotFound => new FileNotFoundException($"Could not find file '{path}'.", path),
        PathNotFound => new DirectoryNotFoundException($"Could not find a part of the path '{path}'."),
        AccessDenied => new UnauthorizedAccessException($"Access to the path '{path}' is denied ({new Win32Exception(error).Message})."),
        _ => Failure($"{call}({path})", error),
    };

    public static IOException Failure(string call, int error) =>
        new($"{call} failed: {new Win32Exception(error).Message} (error {error}).", Win32Facility | error);
}
