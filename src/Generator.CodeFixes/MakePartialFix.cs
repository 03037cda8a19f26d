using System.Collections.Immutable;
using System.Composition;
using BlitQueue.Generator.Diagnose;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.CodeFixes;

/// <summary>Adds <c>partial</c> to a message type, or to a type that contains one.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MakePartialFix))]
[Shared]
public sealed class MakePartialFix : CodeFixProvider
{
    private const string Title = "Make the type partial";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = [DiagnosticIds.NotPartial, DiagnosticIds.ContainerNotPartial];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            TypeDeclarationSyntax? declaration = root?.FindToken(diagnostic.Location.SourceSpan.Start).Parent?.FirstAncestorOrSelf<TypeDeclarationSyntax>();
            if (declaration is null || declaration.Modifiers.Any(SyntaxKind.PartialKeyword))
            {
                continue;
            }

            context.RegisterCodeFix(
                CodeAction.Create(Title, _ => Task.FromResult(MakePartial(context.Document, root!, declaration)), equivalenceKey: Title),
                diagnostic);
        }
    }

    private static Document MakePartial(Document document, SyntaxNode root, TypeDeclarationSyntax declaration)
        => document.WithSyntaxRoot(root.ReplaceNode(declaration, PartialModifier.AddTo(declaration)));
}
