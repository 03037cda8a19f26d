namespace BlitQueue.Generator.CodeFixes;

/// <summary>A fix that changes one node, in the document that has the diagnostic.</summary>
/// <typeparam name="TNode">The node's type.</typeparam>
public abstract class SyntaxFix<TNode> : CodeFixProvider
    where TNode : SyntaxNode
{
    private readonly string _title;

    private protected SyntaxFix(string title, params ImmutableArray<string> ids)
    {
        _title = title;
        FixableDiagnosticIds = ids;
    }

    /// <inheritdoc/>
    public sealed override ImmutableArray<string> FixableDiagnosticIds { get; }

    /// <inheritdoc/>
    public sealed override FixAllProvider GetFixAllProvider() => FixesOfMany;

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        Document document = context.Document;
        SyntaxNode? root = await document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (Find(root!, diagnostic) is { } node)
            {
                context.RegisterCodeFix(
                    CodeAction.Create(_title, cancellation => FixAsync(document, node, cancellation), equivalenceKey: _title), diagnostic);
            }
        }
    }

    /// <summary>Fixes many at once. By default each is fixed alone, and the changes are merged.</summary>
    private protected virtual FixAllProvider FixesOfMany => WellKnownFixAllProviders.BatchFixer;

    /// <summary>The node to change; null where this diagnostic has no fix.</summary>
    private protected abstract TNode? Find(SyntaxNode root, Diagnostic diagnostic);

    /// <summary>The solution with that node changed.</summary>
    private protected abstract Task<Solution> FixAsync(Document document, TNode node, CancellationToken cancellation);

    /// <summary>The document with another root.</summary>
    private protected static async Task<Solution> RewriteAsync(
        Document document, Func<SyntaxNode, SyntaxNode> rewrite, CancellationToken cancellation)
    {
        SyntaxNode? root = await document.GetSyntaxRootAsync(cancellation).ConfigureAwait(false);
        return document.WithSyntaxRoot(rewrite(root!)).Project.Solution;
    }
}
