using System.Text;

namespace BlitQueue.Generator.Emit;

/// <summary>Indented text with LF line ends.</summary>
internal sealed class SourceWriter
{
    private const int IndentWidth = 4;

    private readonly StringBuilder _text = new();
    private int _depth;

    public SourceWriter Line(string line = "")
    {
        if (line.Length > 0)
        {
            _text.Append(' ', _depth * IndentWidth).Append(line);
        }

        _text.Append('\n');
        return this;
    }

    /// <summary>Writes several lines at once; the line ends of the given string may be LF or CRLF.</summary>
    public SourceWriter Lines(string lines)
    {
        foreach (string? line in lines.Split('\n'))
        {
            Line(line.TrimEnd('\r'));
        }

        return this;
    }

    /// <summary>Writes a line one level further in: the single statement of an if or a loop.</summary>
    public SourceWriter Inner(string line)
    {
        _depth++;
        Line(line);
        _depth--;
        return this;
    }

    public SourceWriter Open(string head)
    {
        Line(head);
        Line("{");
        _depth++;
        return this;
    }

    public SourceWriter Close(string end = "}")
    {
        _depth--;
        return Line(end);
    }

    public override string ToString() => _text.ToString();
}
