namespace BlitQueue.Platform;

/// <summary>Something else than a file has the name of an expected file. Floors above make of it the exception that users see.</summary>
/// <param name="kind">What it is: "a link", "a directory".</param>
internal sealed class IrregularFileException(string kind) : IOException($"It is {kind}, and no file.")
{
    public string Kind => kind;
}
