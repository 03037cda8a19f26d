using System.Text.RegularExpressions;

namespace BlitQueue.Docs.Pages;

/// <summary>A page of the documentation: its blocks in order, and what its programs say that they print.</summary>
internal sealed partial class Page
{
    private Page(string name)
    {
        Name = name;
        string[] lines = File.ReadAllLines(Repository.Of(name));
        for (int index = 0; index < lines.Length; index++)
        {
            if (Hidden().Match(lines[index]) is { Success: true } hidden)
            {
                // Lines up to -->, which the page does not show.
                int end = Array.IndexOf(lines, "-->", index);
                string what = hidden.Groups[1].Value;
                Blocks.Add(new PageBlock(what == "before" ? "csharp" : "text", index + 2, Join(lines[(index + 1)..end]), what));
                index = end;
            }
            else if (Fence().Match(lines[index]) is { Success: true } fence)
            {
                int end = Array.FindIndex(lines, index + 1, line => line.TrimEnd() == fence.Groups[1].Value);
                Blocks.Add(new PageBlock(fence.Groups[2].Value, index + 2, Join(lines[(index + 1)..end]), MarkAbove(lines, index)));
                index = end;
            }
        }
    }

    /// <summary>From the repository's root on.</summary>
    public string Name { get; }

    public List<PageBlock> Blocks { get; } = [];

    public static Page Read(string name) => new(name);

    /// <summary>Every page that people write and read: those of docs/, and what stands beside the sources.</summary>
    public static IEnumerable<string> Names { get; } =
    [
        .. from folder in (string[])["docs", "src", "samples", "clients", "bench", ".github"]
           from path in Directory.EnumerateFiles(Repository.Of(folder), "*.md", SearchOption.AllDirectories)
           let name = Path.GetRelativePath(Repository.Root, path).Replace('\\', '/')
           // Programs write those.
           where !name.Contains("/bin/") && !name.Contains("/obj/") && !name.StartsWith("bench/results/", StringComparison.Ordinal)
               && name != "src/Generator/AnalyzerReleases.Shipped.md" && name != "src/Generator/AnalyzerReleases.Unshipped.md"
           orderby name
           select name,
        "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "site/index.md",
    ];

    /// <summary>Every page that shows C#, but for those of diagnostics: their tests are the generator's.</summary>
    public static IEnumerable<Page> WithCode() =>
        from name in Names
        where !name.StartsWith("docs/diagnostics/", StringComparison.Ordinal)
        let page = Read(name)
        where page.Blocks.Any(static block => block.Language == "csharp")
        select page;

    private static string MarkAbove(string[] lines, int index)
    {
        while (index > 0 && lines[index - 1].Length == 0)
        {
            index--;
        }
        return index > 0 && Comment().Match(lines[index - 1]) is { Success: true } comment ? comment.Groups[1].Value : "";
    }

    private static string Join(string[] lines) => string.Concat(lines.Select(static line => line + "\n"));

    [GeneratedRegex("^(```+)([a-zA-Z]*)$")]
    private static partial Regex Fence();

    [GeneratedRegex("^<!-- (.*) -->$")]
    private static partial Regex Comment();

    [GeneratedRegex("^<!-- (prints|before)$")]
    private static partial Regex Hidden();
}
