using System.Text.Json;
using System.Text.Json.Serialization;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Reporting;

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
