namespace BlitQueue.Docs.Pages;

/// <summary>A fenced block of a page.</summary>
/// <param name="Language">What stands behind the fence: <c>csharp</c>, <c>sh</c>, <c>text</c>...</param>
/// <param name="Line">The page's line, from 1, at which the text begins.</param>
/// <param name="Text">Its lines, each ended by \n.</param>
/// <param name="Mark">The comment right in front of it, which no reader sees; empty where there is none.</param>
internal sealed record PageBlock(string Language, int Line, string Text, string Mark)
{
    /// <summary>The code is of an API that is not here.</summary>
    public bool IsForeign => Mark.StartsWith("not compiled:", StringComparison.Ordinal);

    /// <summary>The code needs what a test does not have, or does not end.</summary>
    public bool IsCompiledOnly => Mark.StartsWith("not run:", StringComparison.Ordinal);

    /// <summary>Begins a program of its own, without what stands above.</summary>
    public bool BeginsProgram => Mark == "program";

    /// <summary>A program that runs first, and leaves the files that the page's code finds.</summary>
    public bool RunsBefore => Mark == "before";

    /// <summary>The block is what the code in front of it prints.</summary>
    public bool IsOutput => Mark == "prints";

    /// <summary>The file that the block is to be saved as; null for a part of the page's program.</summary>
    public string? File => Mark.StartsWith("file: ", StringComparison.Ordinal) ? Mark["file: ".Length..] : null;
}
