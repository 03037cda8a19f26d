using System.Reflection;

namespace BlitQueue.Docs.Pages;

/// <summary>docs/options.md has a row for every option, with its default and its scope.</summary>
public sealed class OptionsPageTests
{
    public static TheoryData<Type> Groups { get; } =
        [.. typeof(QueueOptions).Assembly.GetExportedTypes().Where(static type => type.Name.EndsWith("Options", StringComparison.Ordinal))];

    [Theory]
    [MemberData(nameof(Groups))]
    public void The_page_has_a_row_for_every_option(Type group)
    {
        string page = File.ReadAllText(Repository.Of("docs", "options.md"));
        int begin = page.IndexOf($"\n`{group.Name}`", StringComparison.Ordinal);
        Assert.True(begin >= 0, $"docs/options.md has no table of {group.Name}.");
        // Up to the table of the next group.
        int end = page.IndexOf("Options`", begin + group.Name.Length + 2, StringComparison.Ordinal);
        while (end >= 0 && page[page.LastIndexOf('\n', end) + 1] != '`')
        {
            end = page.IndexOf("Options`", end + 1, StringComparison.Ordinal);
        }
        List<string[]> rows =
        [
            .. page[begin..(end < 0 ? page.Length : end)].Split('\n').Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
                .Select(static line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries)).Where(static cells => cells.Length == 5),
        ];
        Assert.Equal(
            group.GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(static option => $"`{option.Name}`").Order(),
            rows.Select(static cells => cells[0]).Order());
        Assert.All(rows, static cells => Assert.All(cells[2..], static cell => Assert.NotEmpty(cell)));
    }
}
