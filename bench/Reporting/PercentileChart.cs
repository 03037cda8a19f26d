using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Reporting;

/// <summary>A panel for each table, a line for each row: which latency so many per cent of the messages did not exceed.</summary>
internal static class PercentileChart
{
    private const double Width = 900, PanelHeight = 320, PlotStart = 70, PlotEnd = 520, PlotTop = 46, PlotHeight = 220, Margin = 16,
        LegendStep = 20;

    private static readonly (string Name, Func<Latency, double> Value)[] Percentiles =
    [
        ("50 %", static latency => latency.P50), ("90 %", static latency => latency.P90), ("99 %", static latency => latency.P99),
        ("99.9 %", static latency => latency.P999), ("99.99 %", static latency => latency.P9999),
    ];

    /// <param name="tables">What is drawn, where it has latencies.</param>
    /// <param name="caption">Lines below it.</param>
    public static string Draw(IReadOnlyList<Table> tables, params string[] caption)
    {
        List<Table> drawn = [.. tables.Where(static table => table.Rows.Any(HasLatency))];
        var svg = new Svg();
        for (int i = 0; i < drawn.Count; i++)
        {
            DrawPanel(svg, drawn[i], Margin + (i * PanelHeight));
        }
        double bottom = Margin + (drawn.Count * PanelHeight);
        return svg.Caption(Margin, bottom, caption).Write(Width, bottom + (caption.Length * Svg.CaptionStep));
    }

    private static void DrawPanel(Svg svg, Table table, double top)
    {
        List<(Row Row, double[] Values)> lines = [.. table.Rows.Where(HasLatency).Select(static row => (row, ValuesOf(row)))];
        double[] all = [.. lines.SelectMany(static line => line.Values)];
        var scale = new LogScale(Math.Max(1, all.Min()), Math.Max(1, all.Max()), top + PlotTop + PlotHeight, -PlotHeight);
        svg.Text(Margin, top + 20, table.Title, isBold: true, size: 13);
        foreach (double tick in scale.Ticks)
        {
            svg.Line(PlotStart, scale.At(tick), PlotEnd, scale.At(tick));
            svg.Text(PlotStart - 8, scale.At(tick) + 4, Figures.Tick(tick), Svg.Faint, "end", 11);
        }
        for (int i = 0; i < Percentiles.Length; i++)
        {
            svg.Text(X(i), top + PlotTop + PlotHeight + 18, Percentiles[i].Name, Svg.Faint, "middle", 11);
        }
        for (int i = 0; i < lines.Count; i++)
        {
            DrawLine(svg, lines[i].Row, lines[i].Values, i, scale, top + PlotTop + (i * LegendStep));
        }
    }

    private static void DrawLine(Svg svg, Row row, double[] values, int index, LogScale scale, double legend)
    {
        string colour = Colours.OfLine(index);
        svg.Path(values.Select((value, i) => (X(i), scale.At(Math.Max(1, value)))), colour);
        svg.Line(PlotEnd + 20, legend, PlotEnd + 40, legend, colour, 3);
        svg.Text(PlotEnd + 48, legend + 4, row.Name, size: 11);
    }

    private static double X(int percentile) => PlotStart + 20 + (percentile * (PlotEnd - PlotStart - 40) / (Percentiles.Length - 1));

    private static double[] ValuesOf(Row row) =>
        [.. Percentiles.Select(percentile => row.Median(sample => sample.Latency is { } latency ? percentile.Value(latency) : null) ?? 0)];

    public static bool HasLatency(Row row) => row.Samples.Exists(static sample => sample.Latency is not null);
}
