using System.Text.RegularExpressions;
using Xunit;

namespace BlitQueue.Tests.House;

/// <summary>What the architecture page says of how a message travels stands in the sources, and needs few files.</summary>
public sealed partial class WalkTests
{
    private const int MostFiles = 12;

    private static readonly string Root = HouseRulesTests.Root();

    private static readonly string Page = File.ReadAllText(Path.Combine(Root, "docs", "ARCHITECTURE.md"));

    private static readonly string Emitted = string.Concat(
        Directory.EnumerateFiles(Path.Combine(Root, "src", "Generator", "Emit"), "*.cs", SearchOption.AllDirectories)
            .Select(File.ReadAllText));

    public static TheoryData<string> Titles { get; } = [.. Walks().Matches(Page).Select(walk => walk.Groups["title"].Value)];

    [Fact]
    public void There_are_five_of_them() => Assert.Equal(5, Titles.Count);

    [Theory]
    [MemberData(nameof(Titles))]
    public void A_walk_is_that_of_the_code_and_goes_through_few_files(string title)
    {
        Match walk = Walks().Matches(Page).Single(walk => walk.Groups["title"].Value == title);
        (string Path, string Text, string[] Methods)[] steps = [.. Steps().Matches(walk.Groups["steps"].Value).Select(Step)];
        Assert.Equal(int.Parse(walk.Groups["count"].Value), steps.Select(step => step.Path).Distinct().Count());
        Assert.Equal(steps.Length, steps.Select(step => step.Path).Distinct().Count());
        Assert.InRange(steps.Length, 6, MostFiles);

        string all = string.Concat(steps.Select(step => step.Text)) + Emitted;
        string first = steps[0].Methods[0];
        foreach ((string path, string text, string[] methods) in steps)
        {
            Assert.NotEmpty(methods);
            foreach (string method in methods)
            {
                Assert.True(Declaration(method).IsMatch(text), $"{title}: {path} declares no {method}.");
                int mentions = Regex.Count(all, $@"(?<![\w\""]){method}\b(?=[(<])|\.{method}\b") - Declaration(method).Count(all);
                Assert.True(mentions > 0 || method == first, $"{title}: nothing in the list calls {method} of {path}.");
            }
        }
    }

    private static (string Path, string Text, string[] Methods) Step(Match step)
    {
        string path = step.Groups["path"].Value;
        string[] methods = [.. Methods().Matches(step.Groups["what"].Value.Split([", called by ", ", which "], StringSplitOptions.None)[0])
            .Select(name => name.Groups[1].Value)];
        return (path, File.ReadAllText(Path.Combine(Root, "src", "Runtime", path)), methods);
    }

    // A method, or a property: modifiers, a type, the name.
    private static Regex Declaration(string name)
        => new($@"^ +(public|private|internal|protected)[\w \[\]<>?,.()]* (?<name>{name})(<\w+>)?(\(| =>|$| \{{)", RegexOptions.Multiline);

    [GeneratedRegex(@"^### (?<title>[^\n]*): (?<count>\d+) files\n\n(?<steps>(\d+\. [^\n]*\n)+)", RegexOptions.Multiline)]
    private static partial Regex Walks();

    [GeneratedRegex(@"^\d+\. `(?<path>[^`]+)`: (?<what>[^\n]*)$", RegexOptions.Multiline)]
    private static partial Regex Steps();

    [GeneratedRegex("`(\\w+)`")]
    private static partial Regex Methods();
}
