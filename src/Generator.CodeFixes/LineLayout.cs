namespace BlitQueue.Generator.CodeFixes;

/// <summary>
/// Spaces and ends of lines as the file has them. Fixes write each space themselves, and nothing that an editor would format: it would do
/// so with its own tabs and ends of lines, and around the fix too.
/// </summary>
internal static class LineLayout
{
    /// <summary>The file's first end of a line; that of Windows if the file has one line alone.</summary>
    public static SyntaxTrivia NewLine(SyntaxNode root)
    {
        SyntaxTrivia first = root.DescendantTrivia().FirstOrDefault(IsNewLine);
        return IsNewLine(first) ? SyntaxFactory.EndOfLine(first.ToString()) : SyntaxFactory.CarriageReturnLineFeed;
    }

    /// <summary>Whether nothing but spaces, comments and directives stands in front of the node in its line.</summary>
    public static bool BeginsLine(SyntaxNode node)
    {
        SyntaxToken before = node.GetFirstToken().GetPreviousToken();
        return before.IsKind(SyntaxKind.None) || EndsLine(before.TrailingTrivia) || EndsLine(node.GetLeadingTrivia());
    }

    /// <summary>The spaces in front of what this trivia leads to, in its line.</summary>
    public static IEnumerable<SyntaxTrivia> Indentation(SyntaxTriviaList leading)
        => leading.Reverse().TakeWhile(IsBlank).Reverse();

    /// <summary>Whether the line ends in this trivia.</summary>
    public static bool EndsLine(SyntaxTriviaList trivia)
        => trivia.Any(part => IsNewLine(part) || part.IsDirective || part.IsKind(SyntaxKind.SingleLineDocumentationCommentTrivia));

    /// <summary>Spaces and tabs.</summary>
    public static bool IsBlank(SyntaxTrivia trivia) => trivia.IsKind(SyntaxKind.WhitespaceTrivia);

    /// <summary>The end of a line.</summary>
    public static bool IsNewLine(SyntaxTrivia trivia) => trivia.IsKind(SyntaxKind.EndOfLineTrivia);

    /// <summary>Spaces, tabs, and the end of a line.</summary>
    public static bool IsSpace(SyntaxTrivia trivia) => IsBlank(trivia) || IsNewLine(trivia);
}
