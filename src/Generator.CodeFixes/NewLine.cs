using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Options;

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

    /// <summary>
    /// Formats what a fix has written, with the ends of lines of each file. The editor formats it, too, but with those of the system, and
    /// leaves what is formatted already.
    /// </summary>
    /// <param name="document">A document without the fix.</param>
    /// <param name="fix">Makes the solution with the fix.</param>
    /// <param name="cancellation">Ends the work.</param>
    /// <returns>The solution with the fix, formatted.</returns>
    public static async Task<Solution> PreserveAsync(Document document, Task<Solution> fix, CancellationToken cancellation)
    {
        Solution before = document.Project.Solution, after = await fix.ConfigureAwait(false);
        foreach (DocumentId id in after.GetChanges(before).GetProjectChanges().SelectMany(project => project.GetChangedDocuments()))
        {
            SyntaxNode? root = await before.GetDocument(id)!.GetSyntaxRootAsync(cancellation).ConfigureAwait(false);
            Document changed = await FormatAsync(after.GetDocument(id)!, Of(root!).ToString(), cancellation).ConfigureAwait(false);
            after = changed.Project.Solution;
        }

        return after;
    }

    private static async Task<Document> FormatAsync(Document document, string newLine, CancellationToken cancellation)
    {
        OptionSet options = await document.GetOptionsAsync(cancellation).ConfigureAwait(false);
        options = options.WithChangedOption(FormattingOptions.NewLine, LanguageNames.CSharp, newLine);
        Document formatted = await Formatter.FormatAsync(document, Formatter.Annotation, options, cancellation).ConfigureAwait(false);
        return await Formatter.FormatAsync(formatted, SyntaxAnnotation.ElasticAnnotation, options, cancellation).ConfigureAwait(false);
    }
}
