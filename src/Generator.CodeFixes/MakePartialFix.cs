namespace BlitQueue.Generator.CodeFixes;

/// <summary>Adds <c>partial</c> to a message type, or to a type that contains one.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MakePartialFix))]
[Shared]
public sealed class MakePartialFix() : SyntaxFix<TypeDeclarationSyntax>(
    "Make the type partial", DiagnosticIds.NotPartial, DiagnosticIds.ContainerNotPartial)
{
    private protected override TypeDeclarationSyntax? Find(SyntaxNode root, Diagnostic diagnostic)
    {
        TypeDeclarationSyntax? declaration = root.FindToken(diagnostic.Location.SourceSpan.Start)
            .Parent?.FirstAncestorOrSelf<TypeDeclarationSyntax>();
        return declaration is null || declaration.Modifiers.Any(SyntaxKind.PartialKeyword) ? null : declaration;
    }

    private protected override Task<Solution> FixAsync(Document document, TypeDeclarationSyntax declaration, CancellationToken cancellation)
        => RewriteAsync(document, root => root.ReplaceNode(declaration, PartialModifier.AddTo(declaration)), cancellation);
}
