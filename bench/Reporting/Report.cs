using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Plans;
using BlitQueue.Bench.Promises;

namespace BlitQueue.Bench.Reporting;

/// <summary>All that a run gave.</summary>
/// <param name="Circumstances">What the figures are to be read with.</param>
/// <param name="Tables">The rows.</param>
/// <param name="Judgements">The promises that the run says something of.</param>
internal sealed record Report(Circumstances Circumstances, IReadOnlyList<Table> Tables, IReadOnlyList<Judgement> Judgements)
{
    /// <summary>Sections about packing alone, as Markdown; empty where it was not measured.</summary>
    public string Packing { get; init; } = "";
}

/// <summary>A run's files: tables, samples, plots.</summary>
internal static class ReportFiles
{
    // What people choose by; the rest stands in the tables.
    private static readonly string[] Drawn =
        [Titles.OneThread(64), Titles.OneWay(8), Titles.OneWay(64), Titles.OneWay(1024), Titles.Spinning, Titles.Sleeping, Titles.Orders,
            Titles.Durable, Titles.ProcessesAppend, Titles.ProcessesExchange, Titles.ThreadsAppend, Titles.ThreadsExchange];

    /// <param name="report">What the run gave.</param>
    /// <param name="path">The Markdown file NAME.md; NAME.json, NAME.svg and NAME-latency.svg stand beside it.</param>
    public static void Write(Report report, string path)
    {
        string directory = Path.GetDirectoryName(Path.GetFullPath(path))!, name = Path.GetFileNameWithoutExtension(path);
        Directory.CreateDirectory(directory);
        File.WriteAllText(path, MarkdownReport.Write(report));
        WriteBeside(".json", JsonReport.Write(report));
        Circumstances c = report.Circumstances;
        string when = $"{c.Date}; {c.Processor}, {c.Cores} processors; {c.Runtime}; commit {c.Revision}";
        IReadOnlyList<Table> chosen = [.. report.Tables.Where(static table => Drawn.Contains(table.Title))];
        if (chosen.Count > 0)
        {
            WriteBeside(".svg", DotChart.Draw(chosen, "For each message or round trip: median and range of the rounds.", when));
        }
        if (report.Tables.Any(static table => table.Rows.Any(PercentileChart.HasLatency)))
        {
            WriteBeside("-latency.svg", PercentileChart.Draw(
                report.Tables, "Counted from the time at which each message was meant to be sent; medians of the rounds.", when));
        }

        void WriteBeside(string ending, string text) => File.WriteAllText(Path.Combine(directory, name + ending), text);
    }
}
