using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Reporting;

/// <summary>The tables for people.</summary>
internal static class MarkdownReport
{
    public static string Write(Report report)
    {
        var text = new StringBuilder();
        AppendHead(text, report.Circumstances);
        if (report.Judgements.Count > 0)
        {
            PromiseTable.Append(text, report.Judgements);
        }
        foreach (Table table in report.Tables)
        {
            Append(text, table);
        }
        return text.Append(report.Packing).ToString();
    }

    public static void AppendHead(StringBuilder text, Circumstances c) =>
        text.AppendLine("# Measurements").AppendLine()
            .AppendLine(CultureInfo.InvariantCulture, $"- {c.Date}, commit {c.Revision}")
            .AppendLine(CultureInfo.InvariantCulture, $"- {c.Processor}, {c.Cores} processors; {c.Kernel}; {c.Runtime}")
            .AppendLine(CultureInfo.InvariantCulture, $"- `{c.Command}`")
            .AppendLine()
            .AppendLine("Medians over the rounds. bench/README.md says what rows and columns mean.");

    private static void Append(StringBuilder text, Table table)
    {
        List<Column> columns = [.. Column.All.Where(column => table.Rows.Any(row => column.Text(row, table) is not null))];
        text.AppendLine().AppendLine(CultureInfo.InvariantCulture, $"## {table.Title}").AppendLine()
            .AppendLine(CultureInfo.InvariantCulture, $"| what | {string.Join(" | ", columns.Select(static column => column.Title))} |")
            .AppendLine(CultureInfo.InvariantCulture, $"|---|{string.Concat(Enumerable.Repeat("--:|", columns.Count))}");
        foreach (Row row in table.Rows)
        {
            IEnumerable<string?> cells = columns.Select(column => column.Text(row, table));
            text.AppendLine(CultureInfo.InvariantCulture, $"| {row.Name}{Mark(row.Role)} | {string.Join(" | ", cells)} |");
        }
    }

    private static string Mark(Role role) => role switch { Role.Floor => " (floor)", Role.Peer => " (peer)", _ => "" };
}

/// <summary>Every sample, for tools.</summary>
internal static class JsonReport
{
    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    public static string Write(Report report) => JsonSerializer.Serialize(
        new
        {
            report.Circumstances,
            Tables = report.Tables.Select(table => new { table.Title, Rows = table.Rows.Select(Shape) }),
        },
        Indented) + "\n";

    private static object Shape(Row row) => new { row.Name, Role = row.Role.ToString(), row.Samples };
}
