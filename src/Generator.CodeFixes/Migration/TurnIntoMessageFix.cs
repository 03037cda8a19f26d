namespace BlitQueue.Generator.CodeFixes.Migration;

/// <summary>Turns a type that is marked for another serializer into a message: rewrites all of its parts and members.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(TurnIntoMessageFix))]
[Shared]
public sealed class TurnIntoMessageFix() : SyntaxFix<TypeDeclarationSyntax>("Turn it into a [QueueMessage]", DiagnosticIds.CouldBeMessage)
{
    private protected override TypeDeclarationSyntax? Find(SyntaxNode root, Diagnostic diagnostic)
        => root.FindNode(diagnostic.Location.SourceSpan).FirstAncestorOrSelf<TypeDeclarationSyntax>();

    private protected override async Task<Solution> FixAsync(
        Document document, TypeDeclarationSyntax declaration, CancellationToken cancellation)
    {
        Solution solution = document.Project.Solution;
        SemanticModel? model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        if (model?.GetDeclaredSymbol(declaration, cancellation) is not INamedTypeSymbol type)
        {
            return solution;
        }

        Solution changed = solution;
        foreach (IGrouping<SyntaxTree, SyntaxReference>? file in type.DeclaringSyntaxReferences.GroupBy(reference => reference.SyntaxTree))
        {
            // A generator wrote this part: there is no document to change.
            if (solution.GetDocument(file.Key) is not { } found)
            {
                continue;
            }

            SyntaxNode root = await file.Key.GetRootAsync(cancellation).ConfigureAwait(false);
            SemanticModel? meaning = await found.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
            IEnumerable<TypeDeclarationSyntax> parts = file.Select(reference => reference.GetSyntax(cancellation))
                .OfType<TypeDeclarationSyntax>();
            SyntaxNode rewritten = root.ReplaceNodes(parts, (part, _) => MessageRewriter.Rewrite(meaning!, part, type));
            changed = changed.WithDocumentSyntaxRoot(found.Id, rewritten);
        }

        return changed;
    }
}
