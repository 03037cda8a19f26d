using System.Globalization;
using System.Security;
using System.Text;

namespace BlitQueue.Bench.Charts;

/// <summary>A drawing on a white ground of its own, so that it is readable on dark pages too.</summary>
internal sealed class Svg
{
    public const string Ink = "#24292f", Faint = "#8c959f", Grid = "#e3e6ea";

    /// <summary>Pixels from line to line of a caption.</summary>
    public const double CaptionStep = 15;

    private readonly StringBuilder _shapes = new();

    public Svg Text(double x, double y, string text, string colour = Ink, string anchor = "start", int size = 12, bool isBold = false) =>
        Add($"""
            <text x="{x:0.#}" y="{y:0.#}" fill="{colour}" font-size="{size}" font-weight="{(isBold ? 600 : 400)}" text-anchor="{anchor}">{SecurityElement.Escape(text)}</text>
            """);

    public Svg Line(double x1, double y1, double x2, double y2, string colour = Grid, double width = 1) =>
        Add($"""<line x1="{x1:0.#}" y1="{y1:0.#}" x2="{x2:0.#}" y2="{y2:0.#}" stroke="{colour}" stroke-width="{width:0.#}"/>""");

    public Svg Dot(double x, double y, string colour, double radius = 4.5) =>
        Add($"""<circle cx="{x:0.#}" cy="{y:0.#}" r="{radius:0.#}" fill="{colour}"/>""");

    public Svg Path(IEnumerable<(double X, double Y)> points, string colour)
    {
        IEnumerable<string> places = points.Select(static point => string.Create(CultureInfo.InvariantCulture, $"{point.X:0.#},{point.Y:0.#}"));
        return Add($"""<polyline points="{string.Join(' ', places)}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>""");
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
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:0} {height:0}" width="{width:0}" height="{height:0}" font-family="Helvetica, Arial, sans-serif">
        <rect width="{width:0}" height="{height:0}" fill="#ffffff"/>
        {_shapes}</svg>

        """);

    private Svg Add(FormattableString shape)
    {
        _shapes.Append(FormattableString.Invariant(shape)).Append('\n');
        return this;
    }
}
