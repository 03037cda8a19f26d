namespace BlitQueue.Checker;

/// <summary>A worker's log, line by line.</summary>
internal static class LogFile
{
    /// <summary>
    /// Its lines; none where it was never begun. A last line without its end was being written when the worker was killed.
    /// </summary>
    public static IEnumerable<string> Lines(string path)
    {
        if (!File.Exists(path))
        {
            return [];
        }
        // The worker may still have it open to write.
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        string text = new StreamReader(file).ReadToEnd();
        return text[..(text.LastIndexOf('\n') + 1)].Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
