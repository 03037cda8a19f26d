using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>Finds files by how their names begin and end.</summary>
internal static class NamedFiles
{
    // Not by a pattern, which a name with a star would change. And a pattern with a point before a star finds nothing under Wine: .NET has
    // the system apply Windows' rules for that, which Wine does not know.
    public static IEnumerable<string> In(string directory, string beginning, string end = "")
    {
        StringComparison comparison =
            CurrentPlatform.Instance.IgnoresCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        return Directory.EnumerateFiles(directory).Where(path => Path.GetFileName(path) is var name
            && name.Length >= beginning.Length + end.Length
            && name.StartsWith(beginning, comparison) && name.EndsWith(end, comparison));
    }
}
