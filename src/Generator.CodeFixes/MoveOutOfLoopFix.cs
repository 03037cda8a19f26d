using Microsoft.CodeAnalysis.Formatting;

namespace BlitQueue.Generator.CodeFixes;

/// <summary>Declares a message before the loop that unpacks into it.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MoveOutOfLoopFix))]
[Shared]
public sealed class MoveOutOfLoopFix() : SyntaxFix<LocalDeclarationStatementSyntax>("Declare it before the loop", DiagnosticIds.FreshInLoop)
{
    private protected override LocalDeclarationStatementSyntax? Find(SyntaxNode root, Diagnostic diagnostic)
    {
        SyntaxNode node = root.FindNode(diagnostic.AdditionalLocations[0].SourceSpan);
        LocalDeclarationStatementSyntax? declaration = node.FirstAncestorOrSelf<LocalDeclarationStatementSyntax>();
        return declaration?.Declaration.Variables.Count == 1 && Loop(declaration) is { } loop && CanMove(declaration, loop)
            ? declaration
            : null;
    }

    private protected override Task<Solution> FixAsync(
        Document document, LocalDeclarationStatementSyntax declaration, CancellationToken cancellation)
        => RewriteAsync(document, root => Move(root, declaration, Loop(declaration)!), cancellation);

    private static StatementSyntax? Loop(SyntaxNode declaration)
        => declaration.Ancestors()
            .OfType<StatementSyntax>()
            .FirstOrDefault(
                statement => statement is WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax);

    // Not if the name means another variable elsewhere in the block around the loop; nor where a directive stands around the declaration,
    // as #if or #region, whose other half stays in the loop.
    private static bool CanMove(LocalDeclarationStatementSyntax declaration, StatementSyntax loop)
    {
        string name = declaration.Declaration.Variables[0].Identifier.ValueText;
        return loop.Parent is BlockSyntax block
            && !declaration.ContainsDirectives && !declaration.GetLastToken().GetNextToken().LeadingTrivia.Any(trivia => trivia.IsDirective)
            && IsSameAnywhere(declaration.Declaration.Variables[0].Initializer?.Value)
            && !block.DescendantTokens().Any(
                token => token.IsKind(SyntaxKind.IdentifierToken) && token.ValueText == name && !loop.Span.Contains(token.Span));
    }

    private static bool IsSameAnywhere(ExpressionSyntax? value)
        => value is LiteralExpressionSyntax or DefaultExpressionSyntax
        || value is BaseObjectCreationExpressionSyntax { Initializer: null, ArgumentList: null or { Arguments.Count: 0 } };

    private static SyntaxNode Move(SyntaxNode root, LocalDeclarationStatementSyntax declaration, StatementSyntax loop)
    {
        SyntaxNode tracked = root.TrackNodes(declaration, loop);
        SyntaxNode removed = tracked.RemoveNode(tracked.GetCurrentNode(declaration)!, SyntaxRemoveOptions.KeepNoTrivia)!;
        StatementSyntax target = removed.GetCurrentNode(loop)!;
        IEnumerable<SyntaxTrivia> comments = declaration.GetLeadingTrivia().SkipWhile(trivia => IsSpace(trivia));
        LocalDeclarationStatementSyntax moved = declaration
            .WithLeadingTrivia(loop.GetLeadingTrivia().AddRange(comments))
            .WithAdditionalAnnotations(Formatter.Annotation);
        StatementSyntax shortened = target.WithLeadingTrivia(
            target.GetLeadingTrivia().Where(trivia => trivia.IsKind(SyntaxKind.WhitespaceTrivia)));
        return removed.ReplaceNode(target, [moved, shortened]);
    }

    private static bool IsSpace(SyntaxTrivia trivia)
        => trivia.IsKind(SyntaxKind.WhitespaceTrivia) || trivia.IsKind(SyntaxKind.EndOfLineTrivia);
}
