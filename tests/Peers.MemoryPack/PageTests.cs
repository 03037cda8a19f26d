using System.Reflection;
using System.Runtime.CompilerServices;

namespace BlitQueue.Peers;

/// <summary>Holds docs/memorypack.md to the tests.</summary>
public sealed class PageTests
{
    private const string Same = "the same";

    [Fact]
    public void The_table_has_a_row_for_each_test_and_says_same_or_not_as_it_does()
    {
        IEnumerable<string> tested = typeof(PageTests).Assembly.GetTypes().SelectMany(static type => type.GetMethods())
            .Select(static method => method.GetCustomAttribute<RowAttribute>()).OfType<RowAttribute>()
            .Select(static row => $"{row.Feature}: {(row.Differs ? "other" : Same)}");
        IEnumerable<string> told = Rows("## Feature by feature")
            .Select(static cells => $"{cells[0]}: {(cells[1] == Same ? Same : "other")}");
        Assert.Equal(tested.Order(StringComparer.Ordinal), told.Order(StringComparer.Ordinal));
    }

    // The cells of the table under a heading.
    private static IEnumerable<string[]> Rows(string heading, [CallerFilePath] string self = "")
    {
        string path = Path.Combine(Path.GetDirectoryName(self)!, "..", "..", "docs", "memorypack.md");
        string page = File.ReadAllText(path).ReplaceLineEndings("\n");
        string part = page[page.IndexOf(heading, StringComparison.Ordinal)..].Split("\n## ")[0];
        return part.Split('\n').Where(static line => line.StartsWith('|')).Skip(2)
            .Select(static line => line.Trim('|').Split(" | ").Select(static cell => cell.Trim()).ToArray());
    }
}
