namespace Quickstart;

/// <summary>What a <see cref="TextLine"/> says.</summary>
public enum LineKind
{
    /// <summary>A line, or a piece of a very long one.</summary>
    Line,

    /// <summary>All lines of the file were sent.</summary>
    EndOfFile,

    /// <summary>The file could not be read to its end: forget it.</summary>
    FileDropped,

    /// <summary>Nothing follows.</summary>
    EndOfInput,
}
