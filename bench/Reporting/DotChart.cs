using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Reporting;

/// <summary>Tables below each other; of each row the median as a dot on one logarithmic axis, and the rounds' range as a line.</summary>
internal static class DotChart
{
    private const double Width = 900, AxisStart = 340, AxisEnd = 800, RowHeight = 20, TitleHeight = 34, Margin = 16;

    /// <param name="tables">What is drawn.</param>
    /// <param name="caption">Lines below it.</param>
    public static string Draw(IReadOnlyList<Table> tables, params string[] caption)
    {
        List<Table> drawn = [.. tables.Where(static table => table.Rows.Any(HasNs))];
        if (drawn.Count == 0)
        {
            return new Svg().Write(Width, 2 * Margin);
        }
        double[] all = [.. drawn.SelectMany(static table => table.Rows).SelectMany(static row => row.Samples)
            .Select(static sample => sample.Ns).OfType<double>()];
        var scale = new LogScale(all.Min(), all.Max(), AxisStart, AxisEnd - AxisStart);
        double bottom = Margin + drawn.Sum(static table => TitleHeight + (table.Rows.Count(HasNs) * RowHeight));
        var svg = new Svg();
        foreach (double tick in scale.Ticks)
        {
            svg.Line(scale.At(tick), Margin + TitleHeight - 12, scale.At(tick), bottom);
            svg.Text(scale.At(tick), bottom + 16, Figures.Tick(tick), Svg.Faint, "middle", 11);
        }
        double y = Margin;
        foreach (Table table in drawn)
        {
            y = DrawTable(svg, table, scale, y);
        }
        return svg.Caption(Margin, bottom + 40, caption).Write(Width, bottom + 40 + (caption.Length * Svg.CaptionStep));
    }

    private static double DrawTable(Svg svg, Table table, LogScale scale, double y)
    {
        svg.Text(Margin, y + TitleHeight - 14, table.Title, isBold: true, size: 13);
        y += TitleHeight;
        foreach (Row row in table.Rows.Where(HasNs))
        {
            DrawRow(svg, row, scale, y);
            y += RowHeight;
        }
        return y;
    }

    private static void DrawRow(Svg svg, Row row, LogScale scale, double y)
    {
        double ns = Ns(row)!.Value, middle = y + (RowHeight / 2) - 2;
        string colour = Colours.Of(row.Role);
        svg.Text(AxisStart - 12, middle + 4, row.Name, row.Role == Role.Queue ? Svg.Ink : Colours.Of(Role.Floor), "end");
        double least = row.Samples.Min(static sample => sample.Ns)!.Value, most = row.Samples.Max(static sample => sample.Ns)!.Value;
        svg.Line(scale.At(least), middle, scale.At(most), middle, colour, 2);
        svg.Dot(scale.At(ns), middle, colour);
        svg.Text(AxisEnd + 16, middle + 4, Figures.Time(ns), colour);
    }

    private static bool HasNs(Row row) => Ns(row) is not null;

    private static double? Ns(Row row) => row.Median(static sample => sample.Ns);
}
