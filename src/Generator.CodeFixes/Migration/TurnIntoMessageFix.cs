using System.Collections.Immutable;
using System.Composition;
using BlitQueue.Generator.Diagnose;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.CodeFixes.Migration;

/// <summary>Turns a type that is marked for another serializer into a message, all of its parts and members.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(TurnIntoMessageFix))]
[Shared]
public sealed class TurnIntoMessageFix : CodeFixProvider
{
    private const string Title = "Turn it into a [QueueMessage]";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = [DiagnosticIds.CouldBeMessage];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (root?.FindNode(diagnostic.Location.SourceSpan).FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } declaration)
            {
                continue;
            }

            context.RegisterCodeFix(
                CodeAction.Create(Title, cancellation => TurnAsync(context.Document, declaration, cancellation), equivalenceKey: Title),
                diagnostic);
        }
    }

    private static async Task<Solution> TurnAsync(Document document, TypeDeclarationSyntax declaration, CancellationToken cancellation)
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
            // A part that a generator wrote belongs to no document, and is none of ours.
            if (solution.GetDocument(file.Key) is not { } found)
            {
                continue;
            }

            SyntaxNode root = await file.Key.GetRootAsync(cancellation).ConfigureAwait(false);
            SemanticModel? meaning = await found.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
            IEnumerable<TypeDeclarationSyntax> parts = file.Select(reference => reference.GetSyntax(cancellation)).OfType<TypeDeclarationSyntax>();
            SyntaxNode rewritten = root.ReplaceNodes(parts, (part, _) => MessageRewriter.Rewrite(meaning!, part, type));
            changed = changed.WithDocumentSyntaxRoot(found.Id, rewritten);
        }

        return changed;
    }
}
