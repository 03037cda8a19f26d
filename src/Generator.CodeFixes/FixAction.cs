namespace BlitQueue.Generator.CodeFixes;

/// <summary>What an editor offers for a diagnostic.</summary>
internal static class FixAction
{
    /// <summary>An action that ends the lines that it writes as the file does.</summary>
    /// <param name="title">What the editor shows; it also tells the fixes of one kind.</param>
    /// <param name="document">The document without the fix.</param>
    /// <param name="fix">Makes the solution with the fix.</param>
    public static CodeAction Of(string title, Document document, Func<CancellationToken, Task<Solution>> fix) => CodeAction.Create(
        title, cancellation => NewLine.PreserveAsync(document, fix(cancellation), cancellation), equivalenceKey: title);
}
