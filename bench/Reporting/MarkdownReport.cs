using System.Globalization;
using System.Text;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Reporting;

/// <summary>The tables for people.</summary>
internal static class MarkdownReport
{
    public static string Write(Report report)
    {
        var text = new StringBuilder();
        AppendHead(text, report.Circumstances);
        foreach (Table table in report.Tables)
        {
            Append(text, table);
        }
        return text.ToString();
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
        text.AppendLine().AppendLine(CultureInfo.InvariantCulture, $"## {table.Title}").AppendLine()
            .AppendLine("| what | per second | ns | steady ns | first ns | ns, lowest to highest round "
                + "| x floor | x peer | steady x floor | steady x peer | B here | B there |")
            .AppendLine("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        foreach (Row row in table.Rows)
        {
            double ns = row.Median(sample => sample.Ns);
            text.AppendLine(CultureInfo.InvariantCulture,
                $"| {row.Name}{Mark(row.Role)} | {1e9 / ns:#,0} | {Figure(ns)} | {Figure(row.Median(s => s.SteadyNs))} | "
                + $"{Figure(row.Median(s => s.FirstNs))} | {Figure(row.Samples.Min(s => s.Ns))} to {Figure(row.Samples.Max(s => s.Ns))} | "
                + $"{Ratio(row, table.Floor, s => s.Ns)} | {Ratio(row, table.Peer, s => s.Ns)} | "
                + $"{Ratio(row, table.Floor, s => s.SteadyNs)} | {Ratio(row, table.Peer, s => s.SteadyNs)} | "
                + $"{Figure(row.Median(s => s.AllocatedHere))} | {There(row)} |");
        }
    }

    private static string Mark(Role role) => role switch { Role.Floor => " (floor)", Role.Peer => " (peer)", _ => "" };

    private static string Ratio(Row row, Row? other, Func<Sample, double> figure) =>
        other is null ? "" : row.RatioTo(other, figure).ToString("0.00", CultureInfo.InvariantCulture);

    private static string There(Row row) =>
        row.Samples.Exists(sample => sample.AllocatedThere is null) ? "" : Figure(row.Median(sample => sample.AllocatedThere!.Value));

    private static string Figure(double value) =>
        value.ToString(value >= 1000 ? "#,0" : value >= 100 ? "0" : value >= 10 ? "0.0" : "0.00", CultureInfo.InvariantCulture);
}
