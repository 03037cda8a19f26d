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
