namespace BlitQueue.Generator.CodeFixes;

/// <summary>The end of a line as the file has it: a fix must not mix two kinds.</summary>
internal static class NewLine
{
    /// <summary>The file's first end of a line; that of Windows if the file has one line alone.</summary>
    public static SyntaxTrivia Of(SyntaxNode root)
    {
        SyntaxTrivia first = root.DescendantTrivia().FirstOrDefault(trivia => trivia.IsKind(SyntaxKind.EndOfLineTrivia));
        return first.IsKind(SyntaxKind.EndOfLineTrivia) ? SyntaxFactory.EndOfLine(first.ToString()) : SyntaxFactory.CarriageReturnLineFeed;
    }
}
