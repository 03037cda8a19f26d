using System.Text.RegularExpressions;

namespace BlitQueue.Tests.House;

/// <summary>Keeps the pages whole: what they link to is there. tests/Docs.Tests runs what they show.</summary>
public sealed partial class DocsTests
{
    private static readonly string Root = HouseRulesTests.Root();

    private static readonly string[] Pages =
    [
        .. Directory.EnumerateFiles(Root, "*.md"),
        .. Directory.EnumerateFiles(Path.Combine(Root, ".github"), "*.md", SearchOption.AllDirectories),
        .. from folder in (string[])["docs", "src", "samples", "clients", "bench"]
           from path in Directory.EnumerateFiles(Path.Combine(Root, folder), "*.md", SearchOption.AllDirectories)
           where !path.Contains($"{Path.DirectorySeparatorChar}bin{Path.DirectorySeparatorChar}", StringComparison.Ordinal)
               && !path.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal)
           select path,
    ];

    [Fact]
    public void Every_link_within_the_repository_leads_somewhere()
    {
        var faults = new List<string>();
        foreach (string page in Pages)
        {
            foreach (Match link in Links().Matches(File.ReadAllText(page)))
            {
                string[] parts = link.Groups[1].Value.Split('#');
                string target = parts[0].Length == 0 ? page : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(page)!, parts[0]));
                if (!Path.Exists(target) || (parts.Length > 1 && !HasHeading(target, parts[1])))
                {
                    faults.Add($"{Path.GetRelativePath(Root, page)}: {link.Groups[1].Value}");
                }
            }
        }
        Assert.Empty(faults);
    }

    private static bool HasHeading(string page, string anchor) =>
        Headings().Matches(File.ReadAllText(page)).Any(heading => Anchor(heading.Groups[1].Value) == anchor);

    // As the usual readers of Markdown make it.
    private static string Anchor(string heading) => NotInAnchors().Replace(heading.Trim().ToLowerInvariant(), "").Replace(' ', '-');

    [GeneratedRegex(@"\]\((?!https?:)([^)\s]+)\)")]
    private static partial Regex Links();

    [GeneratedRegex("^#+ (.*)$", RegexOptions.Multiline)]
    private static partial Regex Headings();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex NotInAnchors();

}
