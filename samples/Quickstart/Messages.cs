using BlitQueue;

namespace Quickstart;

/// <summary>From the launcher to the producer: a file to send; without a name, the end of the list. Then back, with its hash.</summary>
[QueueMessage]   // the attribute is all that a type needs to travel
public partial class SourceFile
{
    public string? Name { get; set; }
    public string? Path { get; set; }
    public long Length { get; set; }

    /// <summary>The SHA-256 of what was read; null where the file could not be opened.</summary>
    public string? Hash { get; set; }
}

/// <summary>From the producer to the consumer: a line of a file; without content, the file's end; without a file, the end of all.</summary>
[QueueMessage]
public partial class TextLine
{
    public string? File { get; set; }

    /// <summary>The byte of the file at which the line starts.</summary>
    public long Start { get; set; }

    /// <summary>The line with its line end, where its bytes are UTF-8.</summary>
    public string? Text { get; set; }

    /// <summary>The line's bytes where they are not.</summary>
    public byte[]? Raw { get; set; }
}
