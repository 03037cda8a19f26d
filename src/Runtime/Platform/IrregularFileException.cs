namespace BlitQueue.Platform;

/// <summary>What stands where a file is expected is none. Floors above turn it into what users see.</summary>
/// <param name="kind">What it is: "a link", "a directory".</param>
internal sealed class IrregularFileException(string kind) : IOException($"It is {kind}, and no file.")
{
    public string Kind => kind;
}
