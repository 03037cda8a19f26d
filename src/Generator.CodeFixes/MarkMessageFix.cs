namespace BlitQueue.Generator.CodeFixes;

/// <summary>Adds [QueueMessage] to a queue's type argument, if that type is declared in the same solution.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MarkMessageFix))]
[Shared]
public sealed class MarkMessageFix : CodeFixProvider
{
    private const string Title = "Mark the type with [QueueMessage]";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = [DiagnosticIds.NoMessage];

    /// <summary>There is none: many diagnostics lead to one declaration, which must be marked once.</summary>
    /// <returns>null.</returns>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            SyntaxNode node = root!.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
            if (model!.GetTypeInfo(node, context.CancellationToken)
                .Type is not INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct } type
                || type.DeclaringSyntaxReferences.Length == 0)
            {
                continue;
            }

            SyntaxNode declaration = await type.DeclaringSyntaxReferences[0].GetSyntaxAsync(context.CancellationToken)
                .ConfigureAwait(false);
            if (declaration is TypeDeclarationSyntax found
                && context.Document.Project.Solution.GetDocument(found.SyntaxTree) is { } document)
            {
                context.RegisterCodeFix(
                    CodeAction.Create(Title, cancellation => MarkAsync(document, found, cancellation), equivalenceKey: Title), diagnostic);
            }
        }
    }

    private static async Task<Solution> MarkAsync(Document document, TypeDeclarationSyntax declaration, CancellationToken cancellation)
    {
        SyntaxNode root = await declaration.SyntaxTree.GetRootAsync(cancellation).ConfigureAwait(false);
        SemanticModel? model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        string name = Imports.Name(model!, declaration.SpanStart, "QueueMessage");
        TypeDeclarationSyntax marked = LeadingAttribute.AddTo(PartialModifier.AddTo(declaration), name, declaration);
        return document.WithSyntaxRoot(root.ReplaceNode(declaration, marked)).Project.Solution;
    }
}
