using System.Globalization;
using System.Security;
using System.Text;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Reporting;

/// <summary>A drawing on a white ground of its own, so that it is readable on dark pages too.</summary>
internal sealed class Svg
{
    public const string Ink = "#24292f", Faint = "#8c959f", Grid = "#e3e6ea";

    /// <summary>Pixels from line to line of a caption.</summary>
    public const double CaptionStep = 15;

    private const string Fonts = "font-family=\"Helvetica, Arial, sans-serif\"";

    private readonly StringBuilder _shapes = new();

    public Svg Text(double x, double y, string text, string colour = Ink, string anchor = "start", int size = 12, bool isBold = false)
    {
        string weight = isBold ? "600" : "400", escaped = SecurityElement.Escape(text);
        return Add($"""
            <text x="{x:0.#}" y="{y:0.#}" fill="{colour}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}">{escaped}</text>
            """);
    }

    public Svg Line(double x1, double y1, double x2, double y2, string colour = Grid, double width = 1) =>
        Add($"""<line x1="{x1:0.#}" y1="{y1:0.#}" x2="{x2:0.#}" y2="{y2:0.#}" stroke="{colour}" stroke-width="{width:0.#}"/>""");

    public Svg Dot(double x, double y, string colour, double radius = 4.5) =>
        Add($"""<circle cx="{x:0.#}" cy="{y:0.#}" r="{radius:0.#}" fill="{colour}"/>""");

    public Svg Path(IEnumerable<(double X, double Y)> points, string colour)
    {
        IEnumerable<string> pairs = points.Select(
            static point => string.Create(CultureInfo.InvariantCulture, $"{point.X:0.#},{point.Y:0.#}"));
        return Add(
            $"""<polyline points="{string.Join(' ', pairs)}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>""");
    }

    public Svg Caption(double x, double y, IReadOnlyList<string> lines)
    {
        for (int i = 0; i < lines.Count; i++)
        {
            Text(x, y + (i * CaptionStep), lines[i], Faint, size: 11);
        }
        return this;
    }

    /// <summary>The file's text.</summary>
    public string Write(double width, double height) => string.Create(CultureInfo.InvariantCulture,
        $"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:0} {height:0}" width="{width:0}" height="{height:0}" {Fonts}>
        <rect width="{width:0}" height="{height:0}" fill="#ffffff"/>
        {_shapes}</svg>

        """);

    private Svg Add(FormattableString shape)
    {
        _shapes.Append(FormattableString.Invariant(shape)).Append('\n');
        return this;
    }
}

/// <summary>An axis whose steps are powers of ten, from the power at or below the least value to the one at or above the largest.</summary>
/// <param name="Least">Values above 0.</param>
/// <param name="Most">Not below the least.</param>
/// <param name="Start">Where the axis starts, pixels.</param>
/// <param name="Length">Pixels; negative where it goes upwards.</param>
internal readonly record struct LogScale(double Least, double Most, double Start, double Length)
{
    private int Lowest => (int)Math.Floor(Math.Log10(Least));

    private int Highest => Math.Max(Lowest + 1, (int)Math.Ceiling(Math.Log10(Most)));

    /// <summary>The powers of ten, both ends included.</summary>
    public IEnumerable<double> Ticks
    {
        get
        {
            int lowest = Lowest;
            return Enumerable.Range(lowest, Highest - lowest + 1).Select(static power => Math.Pow(10, power));
        }
    }

    public double At(double value) => Start + ((Math.Log10(value) - Lowest) / (Highest - Lowest) * Length);
}

/// <summary>What a row's role looks like.</summary>
internal static class Colours
{
    private const string Ours = "#0969da", Others = "#9a6700", Limit = "#57606a";
    private static readonly string[] Lines = [Ours, "#8250df", "#1a7f37", "#bc4c00", "#9a6700", Limit, "#cf222e"];

    public static string Of(Role role) => role switch { Role.Queue => Ours, Role.Floor => Limit, _ => Others };

    /// <summary>Of the rows of one table, each its own.</summary>
    public static string OfLine(int index) => Lines[index % Lines.Length];
}

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
