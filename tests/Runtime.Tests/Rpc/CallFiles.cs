using BlitQueue.Log;

namespace BlitQueue.Tests.Processes;

/// <summary>The files with the calls of clients, which stand beside the file of their channel.</summary>
internal static class CallFiles
{
    public static string[] In(Site site) => [.. NamedFiles.In(site.Root, ".")
        .Where(static path => Path.GetFileName(path).Contains("calls", StringComparison.Ordinal))];
}
