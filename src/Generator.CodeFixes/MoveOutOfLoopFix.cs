using System.Collections.Immutable;
using System.Composition;
using BlitQueue.Generator.Diagnose;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;

namespace BlitQueue.Generator.CodeFixes;

/// <summary>Declares a message before the loop that unpacks into it.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MoveOutOfLoopFix))]
[Shared]
public sealed class MoveOutOfLoopFix : CodeFixProvider
{
    private const string Title = "Declare it before the loop";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = [DiagnosticIds.FreshInLoop];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            LocalDeclarationStatementSyntax? declaration = root?.FindNode(diagnostic.AdditionalLocations[0].SourceSpan).FirstAncestorOrSelf<LocalDeclarationStatementSyntax>();
            if (declaration?.Declaration.Variables.Count != 1 || Loop(declaration) is not { } loop || !CanMove(declaration, loop))
            {
                continue;
            }

            context.RegisterCodeFix(
                CodeAction.Create(Title, _ => Task.FromResult(Move(context.Document, root!, declaration, loop)), equivalenceKey: Title),
                diagnostic);
        }
    }

    private static StatementSyntax? Loop(SyntaxNode declaration)
        => declaration.Ancestors()
            .OfType<StatementSyntax>()
            .FirstOrDefault(statement => statement is WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax);

    // Elsewhere in the block around the loop the name may mean another variable.
    private static bool CanMove(LocalDeclarationStatementSyntax declaration, StatementSyntax loop)
    {
        string name = declaration.Declaration.Variables[0].Identifier.ValueText;
        return loop.Parent is BlockSyntax block
            && IsSameAnywhere(declaration.Declaration.Variables[0].Initializer?.Value)
            && !block.DescendantTokens().Any(token => token.IsKind(SyntaxKind.IdentifierToken) && token.ValueText == name && !loop.Span.Contains(token.Span));
    }

    private static bool IsSameAnywhere(ExpressionSyntax? value)
        => value is LiteralExpressionSyntax or DefaultExpressionSyntax
        || value is BaseObjectCreationExpressionSyntax { Initializer: null, ArgumentList: null or { Arguments.Count: 0 } };

    private static Document Move(Document document, SyntaxNode root, LocalDeclarationStatementSyntax declaration, StatementSyntax loop)
    {
        SyntaxNode tracked = root.TrackNodes(declaration, loop);
        SyntaxNode removed = tracked.RemoveNode(tracked.GetCurrentNode(declaration)!, SyntaxRemoveOptions.KeepNoTrivia)!;
        StatementSyntax target = removed.GetCurrentNode(loop)!;
        IEnumerable<SyntaxTrivia> comments = declaration.GetLeadingTrivia().SkipWhile(trivia => IsSpace(trivia));
        LocalDeclarationStatementSyntax moved = declaration
            .WithLeadingTrivia(loop.GetLeadingTrivia().AddRange(comments))
            .WithAdditionalAnnotations(Formatter.Annotation);
        StatementSyntax shortened = target.WithLeadingTrivia(target.GetLeadingTrivia().Where(trivia => trivia.IsKind(SyntaxKind.WhitespaceTrivia)));
        return document.WithSyntaxRoot(removed.ReplaceNode(target, [moved, shortened]));
    }

    private static bool IsSpace(SyntaxTrivia trivia) => trivia.IsKind(SyntaxKind.WhitespaceTrivia) || trivia.IsKind(SyntaxKind.EndOfLineTrivia);
}
