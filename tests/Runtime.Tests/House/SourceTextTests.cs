using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace BlitQueue.Tests.House;

/// <summary>
/// Rules for the text of all of <c>src</c>: the library, the generator and the code fixes. The width of lines is that of all sources.
/// </summary>
public sealed partial class SourceTextTests
{
    private const int LongestLine = 140;

    // So many lines in a row that stand in two places are written twice.
    private const int Repeated = 6;

    // Per file: why what stands there twice is not written once.
    private static readonly Dictionary<string, string> Twice = new()
    {
        ["Runtime/Packing/Views/TupleView.cs"] = "each arity is a type, and C# has no type parameter for how many",
        ["Runtime/Packing/Views/TupleView.Larger.cs"] = "as TupleView",
    };

    internal static readonly List<(string Path, string[] Lines)> Sources = Read("src");

    private static readonly List<(string Path, string[] Lines)> Others = [.. Read("tests"), .. Read("bench"), .. Read("samples")];

    [Fact]
    public void No_line_is_longer_than_a_window_is_wide()
        => Assert.Empty(
            from source in Sources.Concat(Others)
            from line in source.Lines.Index()
            where line.Item.Length > LongestLine
            select $"{source.Path}:{line.Index + 1} has {line.Item.Length} characters");

    [Fact]
    public void No_six_lines_stand_twice()
        => Assert.Empty(RepeatedRuns(Sources).Where(static run => !run.All(static at => Twice.ContainsKey(at.Path)))
            .Select(static run => string.Join(" ~ ", run.Select(static at => $"{at.Path}:{at.Line}"))));

    [Fact]
    public void What_may_stand_twice_does()
        => Assert.Equal(
            Twice.Keys.Order(), RepeatedRuns(Sources).SelectMany(static run => run).Select(static at => at.Path).Distinct().Order());

    [Fact]
    public void A_run_is_found_whatever_is_around_it()
    {
        string[] run = ["if (a)", "{", "    First(one);", "    Second(two);", "}", "Third(three);", "Fourth(four);", "Fifth(five);"];
        string[] indented = [.. run.Select(static line => "    " + line).Prepend("using System;").Append("// behind").Append("Last();")];
        Assert.Single(RepeatedRuns([("A.cs", run), ("B.cs", indented)]));
        Assert.Empty(RepeatedRuns([("A.cs", run[..^1]), ("B.cs", indented)]));
    }

    // Each run of lines that count, with the places where it begins.
    private static IEnumerable<(string Path, int Line)[]> RepeatedRuns(IEnumerable<(string Path, string[] Lines)> sources)
    {
        var runs = new Dictionary<string, List<(string Path, int Line)>>();
        foreach ((string path, string[] lines) in sources)
        {
            var counted = lines.Index().Select(static line => (line.Index, Text: line.Item.Trim()))
                .Where(static line => Counts(line.Text)).ToList();
            for (int i = 0; i + Repeated <= counted.Count; i++)
            {
                string run = string.Join('\n', counted.GetRange(i, Repeated).Select(static line => line.Text));
                if (!runs.TryGetValue(run, out List<(string, int)>? starts))
                {
                    runs.Add(run, starts = []);
                }
                starts.Add((path, counted[i].Index + 1));
            }
        }
        return runs.Values.Where(static starts => starts.Count > 1).Select(static starts => starts.ToArray());
    }

    // Not what every file has: usings, comments, and lines of punctuation and words of the language alone.
    private static bool Counts(string line) => !Uncounted().IsMatch(line);

    private static List<(string Path, string[] Lines)> Read(string folder, [CallerFilePath] string self = "")
    {
        string root = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(self)!, "..", "..", "..", folder));
        return
        [
            .. from path in Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
               let relative = Path.GetRelativePath(root, path).Replace('\\', '/')
               // What the generator wrote for a snapshot, or for a build, is as long as it is.
               where !$"/{relative}".Contains("/bin/") && !$"/{relative}".Contains("/obj/")
                   && !relative.EndsWith(".verified.cs", StringComparison.Ordinal)
                   && !relative.EndsWith(".received.cs", StringComparison.Ordinal)
               orderby relative
               select (relative, File.ReadAllLines(path)),
        ];
    }

    [GeneratedRegex(@"^(\W*|using [\w.]+;|//.*|else|get|try|return( \w+)?;|break;|default:)$")]
    private static partial Regex Uncounted();
}
