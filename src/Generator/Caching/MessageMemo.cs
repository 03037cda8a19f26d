namespace BlitQueue.Generator.Caching;

/// <summary>
/// A project's messages, parsed again only where something that the parse looked at is no longer the same. The compiler makes a new
/// compilation for each keystroke, in which nothing is bound; to ask it for 1,000 types' members costs some 600 ms, and to see
/// here that nothing they depend on has changed less than 2.
/// </summary>
/// <remarks>
/// It keeps texts and models of the last run alone, no tree and no symbol, and believes none of them unseen: a compilation it has not met
/// finds out at most that all is to be parsed. Any number of threads may ask; the last one is remembered.
/// </remarks>
internal sealed class MessageMemo
{
    private volatile Run? _last;

    /// <summary>The messages of each file, in order.</summary>
    public IReadOnlyList<EquatableArray<MessageModel>> Find(Compilation compilation, CancellationToken cancellation)
    {
        List<SourceFile> files = [.. compilation.SyntaxTrees.Select(tree => SourceFile.Of(tree, cancellation))];
        var outline = ProjectOutline.Of(compilation, files);
        Run? last = _last is { } run && run.Outline.IsAsIn(outline) ? run : null;

        var parser = new FileParser(compilation, files, cancellation);
        var found = new FileMessages[files.Count];
        for (int i = 0; i < found.Length; i++)
        {
            found[i] = parser.Parse(i, last?.Files[i]);
        }

        _last = new Run(outline, found);
        return [.. found.Select(file => file.Models)];
    }

    private sealed record Run(ProjectOutline Outline, FileMessages[] Files);
}
