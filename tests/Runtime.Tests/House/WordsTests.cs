using System.Text.RegularExpressions;

namespace BlitQueue.Tests.House;

/// <summary>Compares the names and the comments of <c>src</c> with the tables of decision 13, which say what to write instead.</summary>
public sealed partial class WordsTests
{
    private const string Decision = "docs/decisions/0013-words.md";

    private static readonly string Page = File.ReadAllText(Path.Combine(HouseRulesTests.Root(), Decision)).ReplaceLineEndings("\n");

    private static readonly HashSet<string> Listed =
        [.. Quoted().Matches(Section("Names that have the words")).Select(static name => name.Groups[1].Value)];

    // Each name with the first file that has it; a file's own name is one.
    private static readonly Dictionary<string, string> Names = (
        from source in SourceTextTests.Sources
        let code = Comments().Replace(Texts().Replace(string.Join('\n', source.Lines), ""), "")
        from Match name in Identifiers().Matches(code + " " + Path.GetFileName(source.Path))
        group source.Path by name.Value).ToDictionary(static name => name.Key, static name => name.First());

    [Fact]
    public void A_word_has_its_one_meaning_in_names() => AssertNone(
        from row in Rows("The seven words")
        from name in Names
        where Has(name.Key, row[0]) && !Listed.Contains(name.Key)
        select $"{name.Value} names {name.Key}. {row[0]} is: {row[1]}. If it is that, list the name in {Decision}; else write: {row[2]}");

    [Fact]
    public void A_name_that_is_listed_is_there() => Assert.Empty(Listed.Except(Names.Keys));

    [Fact]
    public void No_name_has_a_word_that_is_gone_from_names() => AssertNone(
        from row in Rows("Gone from names")
        from name in Names
        where Has(name.Key, row[0]) && !Listed.Contains(name.Key)
        select $"{name.Value} names {name.Key}; write instead: {row[1]}");

    [Fact]
    public void No_comment_has_a_word_that_is_gone_from_comments() => AssertNone(
        from source in SourceTextTests.Sources
        let comments = string.Join(' ', source.Lines.Select(static line => CommentText().Match(line).Groups[1].Value))
        from row in Rows("Gone from comments")
        let others = row[1].Length == 0 ? comments : Regex.Replace(comments, AnyOf(row[1]), "", RegexOptions.IgnoreCase)
        from Match word in Regex.Matches(others, AnyOf(row[0]), RegexOptions.IgnoreCase)
        select $"{source.Path} says \"{Around(others, word)}\"; write instead: {row[2]}");

    [Fact]
    public void The_rules_see_what_they_forbid()
    {
        Assert.Equal(["*hold*", "*pass*", "*plain*", "*place*", "*room*", "*repair*", "*keep*"], Rows("The seven words").Select(First));
        Assert.True(Has("_roomAwaited", "*room*") && Has("IsKept", "*keep*, *kept*") && Has("FirstHolders", "*hold*"));
        Assert.False(Has("Replace", "*place*") || Has("Bathroom", "*room*") || Has("Compass", "*pass*"));
        Assert.NotEmpty(Rows("Gone from names"));
        Assert.NotEmpty(Rows("Gone from comments"));
    }

    private static void AssertNone(IEnumerable<string> faults)
    {
        string text = string.Join('\n', faults);
        Assert.True(text.Length == 0, text);
    }

    private static string Around(string text, Match word)
        => text[Math.Max(word.Index - 30, 0)..Math.Min(word.Index + word.Length + 30, text.Length)];

    private static string First(string[] row) => row[0].Split(',')[0];

    private static bool Has(string name, string words)
        => Parts().Matches(name).Any(part => Regex.IsMatch(part.Value, $"^{AnyOf(words)}$", RegexOptions.IgnoreCase));

    // Of the words that stand in italics, with their usual endings.
    private static string AnyOf(string words)
        => $@"\b({string.Join('|', Italic().Matches(words).Select(static word => word.Groups[1].Value))})(s|d|es|ed|r|er|ers|ing)?\b";

    private static IEnumerable<string[]> Rows(string heading)
        => Section(heading).Split('\n').Where(static line => line.StartsWith("| *", StringComparison.Ordinal))
            .Select(static line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries));

    private static string Section(string heading)
        => Page.Split("\n## ").Single(part => part.StartsWith(heading + "\n", StringComparison.Ordinal));

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Quoted();

    [GeneratedRegex(@"\*([^*]+)\*")]
    private static partial Regex Italic();

    [GeneratedRegex("""
        "(\\.|[^"\\\n])*"
        """)]
    private static partial Regex Texts();

    [GeneratedRegex(@"//.*")]
    private static partial Regex Comments();

    [GeneratedRegex("//+ ?(.*)")]
    private static partial Regex CommentText();

    [GeneratedRegex(@"[A-Za-z_]\w*")]
    private static partial Regex Identifiers();

    [GeneratedRegex("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")]
    private static partial Regex Parts();
}
