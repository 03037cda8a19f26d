using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// Opening a file where the system's own way of refusing links is not declared here: it is looked at before, so whoever may write to
/// the directory may still be faster.
/// </summary>
internal static class LookedAtFile
{
    public static SafeFileHandle Open(string path, FileMode mode, FileAccess access, UnixFileMode rights)
    {
        if (new FileInfo(path).LinkTarget is not null)
        {
            throw new IrregularFileException("a link");
        }
        if (Directory.Exists(path))
        {
            throw new IrregularFileException("a directory");
        }
        var options = new FileStreamOptions
        {
            Mode = mode,
            Access = access,
            Share = FileShare.ReadWrite | FileShare.Delete,
            BufferSize = 0,
        };
        if (mode != FileMode.Open && !OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = rights;
        }
        // The stream is only the way to a handle with the right create mode; the handle outlives it.
        var stream = new FileStream(path, options);
        GC.SuppressFinalize(stream);
        return stream.SafeFileHandle;
    }
}
