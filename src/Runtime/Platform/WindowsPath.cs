namespace BlitQueue.Platform;

/// <summary>Paths as Windows' own calls take them.</summary>
internal static class WindowsPath
{
    private const string Verbatim = @"\\?\", Device = @"\\.\", Share = @"\\";

    // MAX_PATH, less the 12 characters that a directory leaves to the names of its files.
    private const int LongestShort = 247;

    /// <summary>The path, in the form without a limit of its length if it is long.</summary>
    public static string Extended(string path)
    {
        string full = Path.GetFullPath(path);
        return full.Length <= LongestShort || full.StartsWith(Verbatim, StringComparison.Ordinal)
            || full.StartsWith(Device, StringComparison.Ordinal) ? full
            : full.StartsWith(Share, StringComparison.Ordinal) ? string.Concat(Verbatim, @"UNC\", full.AsSpan(Share.Length))
            : Verbatim + full;
    }

    /// <summary>Whether a path is another one, or is inside of it; both as GetFinalPathNameByHandle returns them.</summary>
    public static bool IsWithin(string path, string directory) =>
        WithEnd(path).StartsWith(WithEnd(directory), StringComparison.OrdinalIgnoreCase);

    // That of a volume has one.
    private static string WithEnd(string path) => path.TrimEnd('\\') + '\\';

    /// <summary>Whether the system's own name of a file says that another machine has it.</summary>
    /// <param name="final">As GetFinalPathNameByHandle returns it, or as a caller wrote it.</param>
    public static bool IsShare(string final) => final.StartsWith(Verbatim, StringComparison.Ordinal)
        ? final.AsSpan(Verbatim.Length).StartsWith(@"UNC\", StringComparison.OrdinalIgnoreCase)
        : final.StartsWith(Share, StringComparison.Ordinal) && !final.StartsWith(Device, StringComparison.Ordinal);
}
