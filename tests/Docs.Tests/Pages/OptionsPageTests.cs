using System.Reflection;
using BlitQueue.Docs.Api;
using BlitQueue.Hosting;

namespace BlitQueue.Docs.Pages;

/// <summary>docs/options.md has a row for every option of every package, with its default and its scope.</summary>
public sealed class OptionsPageTests
{
    // They have the options of other groups under the same names, and the page says so.
    private static readonly Dictionary<Type, Type[]> Repeating = new()
    {
        [typeof(BlitQueueOptions)] = [typeof(QueueOptions)],
        [typeof(BlitQueueConsumerOptions)] = [typeof(SubscriptionOptions), typeof(ProcessOptions)],
    };

    public static TheoryData<Type> Groups { get; } = [.. PublicApi.Options];

    [Theory]
    [MemberData(nameof(Groups))]
    public void The_page_has_a_row_for_every_option(Type group)
    {
        string[] lines = File.ReadAllLines(Repository.Of("docs", "options.md"));
        int begin = Array.FindIndex(lines, line => line.StartsWith($"`{group.Name}`", StringComparison.Ordinal));
        Assert.True(begin >= 0, $"docs/options.md has no table of {group.Name}.");
        Type[] others = Repeating.GetValueOrDefault(group, []);
        Assert.All(others, other => Assert.Contains($"`{other.Name}`", lines[begin], StringComparison.Ordinal));
        List<string[]> rows =
        [
            .. lines.Skip(begin + 1).TakeWhile(static line => !line.Contains("Options`", StringComparison.Ordinal) || line[0] != '`')
                .Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
                .Select(static line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries)).Where(static cells => cells.Length == 5),
        ];
        Assert.Equal(
            NamesOf(group).Except(others.SelectMany(NamesOf)).Order(StringComparer.Ordinal),
            rows.Select(static cells => cells[0].Trim('`')).Order(StringComparer.Ordinal));
        Assert.All(rows, static cells => Assert.All(cells[2..], static cell => Assert.NotEmpty(cell)));
    }

    private static IEnumerable<string> NamesOf(Type group) =>
        group.GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(static option => option.Name);
}
