using System.Text.RegularExpressions;

namespace BlitQueue.Docs.Pages;

/// <summary>A table is looked at, not read: what needs sentences stands below it.</summary>
public sealed partial class TableTests
{
    private const int MostWords = 20;

    [Fact]
    public void No_cell_has_more_words_than_a_glance_takes()
    {
        var faults = new List<string>();
        foreach (string path in Page.Names.Select(static name => Repository.Of(name)))
        {
            bool isCode = false;
            string[] lines = File.ReadAllLines(path);
            for (int index = 0; index < lines.Length; index++)
            {
                isCode ^= lines[index].StartsWith("```", StringComparison.Ordinal);
                if (!isCode && lines[index].StartsWith('|'))
                {
                    faults.AddRange(
                        from cell in Bars().Split(lines[index].Trim('|', ' '))
                        let words = Words(cell)
                        where words > MostWords
                        select $"{Path.GetRelativePath(Repository.Root, path)}:{index + 1} has {words} words: {cell.Trim()}");
                }
            }
        }
        Assert.True(faults.Count == 0, string.Join('\n', faults));
    }

    // Of a link the text counts, and of punctuation nothing.
    private static int Words(string cell) =>
        LinkTargets().Replace(cell, "]").Split(' ').Count(static word => word.Any(char.IsLetterOrDigit));

    [GeneratedRegex(@"(?<!\\)\|")]
    private static partial Regex Bars();

    [GeneratedRegex(@"\]\([^)]*\)")]
    private static partial Regex LinkTargets();
}
