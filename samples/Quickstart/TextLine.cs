using BlitQueue;

namespace Quickstart;

/// <summary>The message: a line of a file, or the end of something. The attribute is all that a type needs to travel.</summary>
[QueueMessage]
public partial class TextLine
{
    /// <summary>What the message says; the members below that do not belong to it are zero, empty or null.</summary>
    public LineKind Kind { get; set; }

    /// <summary>The file's name, relative to the folder that is sent.</summary>
    public string? File { get; set; }

    /// <summary>The line's number in its file, from 1.</summary>
    public int Number { get; set; }

    /// <summary>The line with its line end; null where its bytes are not UTF-8.</summary>
    public string? Text { get; set; }

    /// <summary>The line's bytes where they are not UTF-8.</summary>
    public byte[]? Raw { get; set; }

    /// <summary>The byte of the file at which the line starts.</summary>
    public long Start { get; set; }

    /// <summary>The byte behind the line; for the end of a file, the file's length.</summary>
    public long End { get; set; }

    /// <summary>Where in the text words start.</summary>
    public List<int> Words { get; set; } = [];
}
