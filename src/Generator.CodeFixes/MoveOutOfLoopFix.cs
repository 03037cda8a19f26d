namespace BlitQueue.Generator.CodeFixes;

/// <summary>Declares a message before the loop that unpacks into it.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MoveOutOfLoopFix))]
[Shared]
public sealed class MoveOutOfLoopFix() : SyntaxFix<LocalDeclarationStatementSyntax>("Declare it before the loop", DiagnosticIds.FreshInLoop)
{
    private const string Chosen = "move";

    // One after the other: several declarations may move to the same line, where merged changes would be in conflict.
    private protected override FixAllProvider FixesOfMany
        => FixAllProvider.Create((context, document, diagnostics) => MoveAllAsync(document, diagnostics, context.CancellationToken));

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
        => RewriteAsync(document, root => Move(root, declaration), cancellation);

    private async Task<Document?> MoveAllAsync(Document document, ImmutableArray<Diagnostic> diagnostics, CancellationToken cancellation)
    {
        SyntaxNode? root = await document.GetSyntaxRootAsync(cancellation).ConfigureAwait(false);
        SyntaxAnnotation chosen = new(Chosen);
        root = root!.ReplaceNodes(
            diagnostics.Select(diagnostic => Find(root!, diagnostic)).OfType<LocalDeclarationStatementSyntax>().Distinct(),
            (_, found) => found.WithAdditionalAnnotations(chosen));
        while (root.GetAnnotatedNodes(Chosen).FirstOrDefault() is LocalDeclarationStatementSyntax next)
        {
            root = Move(root, next);
        }

        return document.WithSyntaxRoot(root);
    }

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

    private static SyntaxNode Move(SyntaxNode root, LocalDeclarationStatementSyntax declaration)
    {
        StatementSyntax loop = Loop(declaration)!;
        SyntaxTrivia newLine = LineLayout.NewLine(root);
        SyntaxTriviaList above = loop.GetLeadingTrivia(), behind = Behind(declaration, loop, newLine);
        SyntaxTriviaList indentation = [.. LineLayout.Indentation(above)];
        LocalDeclarationStatementSyntax moved = declaration.WithoutAnnotations(Chosen)
            .WithLeadingTrivia(above.AddRange(Comments(declaration.GetLeadingTrivia(), indentation)))
            .WithTrailingTrivia(behind);
        StatementSyntax shortened = TakeOut(loop, declaration, newLine).WithLeadingTrivia(LineLayout.EndsLine(behind) ? indentation : []);
        return root.ReplaceNode(loop, [moved, shortened]);
    }

    // What parts the declaration from the loop behind it.
    private static SyntaxTriviaList Behind(LocalDeclarationStatementSyntax declaration, StatementSyntax loop, SyntaxTrivia newLine)
    {
        SyntaxTriviaList own = declaration.GetTrailingTrivia();
        return LineLayout.EndsLine(own) ? own
            : LineLayout.BeginsLine(loop) ? [.. own.Reverse().SkipWhile(LineLayout.IsBlank).Reverse(), newLine]
            : own.Count > 0 ? own
            : [SyntaxFactory.Space];
    }

    // The comments above the declaration, indented as the loop is.
    private static IEnumerable<SyntaxTrivia> Comments(SyntaxTriviaList leading, SyntaxTriviaList indentation)
    {
        bool isBegin = false;
        foreach (SyntaxTrivia part in leading.SkipWhile(LineLayout.IsSpace))
        {
            foreach (SyntaxTrivia written in isBegin && LineLayout.IsBlank(part) ? indentation : [part])
            {
                yield return written;
            }

            isBegin = LineLayout.IsNewLine(part);
        }
    }

    // The loop without the declaration, and without its line, unless something else stands there.
    private static StatementSyntax TakeOut(StatementSyntax loop, LocalDeclarationStatementSyntax declaration, SyntaxTrivia newLine)
    {
        bool begins = LineLayout.BeginsLine(declaration), ends = LineLayout.EndsLine(declaration.GetTrailingTrivia());
        SyntaxToken before = declaration.GetFirstToken().GetPreviousToken(), behind = declaration.GetLastToken().GetNextToken();
        SyntaxAnnotation mark = new();
        StatementSyntax marked = loop.ReplaceSyntax(
            [declaration], (_, found) => found.WithAdditionalAnnotations(mark),
            begins == ends ? [] : [before, behind],
            (token, _) =>
                token == behind ? token.WithLeadingTrivia(
                    begins ? [.. LineLayout.Indentation(declaration.GetLeadingTrivia()), .. token.LeadingTrivia]
                    : token.LeadingTrivia.Insert(0, newLine))
                : begins ? token
                : token.WithTrailingTrivia(token.TrailingTrivia.Reverse().SkipWhile(LineLayout.IsBlank).Reverse()),
            [], (trivia, _) => trivia);
        return marked.RemoveNode(marked.GetAnnotatedNodes(mark).Single(), SyntaxRemoveOptions.KeepNoTrivia)!;
    }
}
