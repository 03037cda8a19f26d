using System.Runtime.CompilerServices;

namespace BlitQueue.Tests.House;

/// <summary>
/// Rules for the text of all of <c>src</c>: the library, the generator and the code fixes. The width of lines is that of all sources.
/// </summary>
public sealed class SourceTextTests
{
    private const int LongestLine = 140;

    internal static readonly List<(string Path, string[] Lines)> Sources = Read("src");

    private static readonly List<(string Path, string[] Lines)> Others = [.. Read("tests"), .. Read("bench"), .. Read("samples")];

    [Fact]
    public void No_line_is_longer_than_a_window_is_wide()
        => Assert.Empty(
            from source in Sources.Concat(Others)
            from line in source.Lines.Index()
            where line.Item.Length > LongestLine
            select $"{source.Path}:{line.Index + 1} has {line.Item.Length} characters");

    internal static List<(string Path, string[] Lines)> Read(string folder, string pattern = "*.cs", [CallerFilePath] string self = "")
    {
        string root = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(self)!, "..", "..", "..", folder));
        return
        [
            .. from path in Directory.EnumerateFiles(root, pattern, SearchOption.AllDirectories)
               let relative = Path.GetRelativePath(root, path).Replace('\\', '/')
               // What the generator wrote for a snapshot, or for a build, is as long as it is.
               where !$"/{relative}".Contains("/bin/") && !$"/{relative}".Contains("/obj/")
                   && !relative.EndsWith(".verified.cs", StringComparison.Ordinal)
                   && !relative.EndsWith(".received.cs", StringComparison.Ordinal)
               orderby relative
               select (relative, File.ReadAllLines(path)),
        ];
    }
}
