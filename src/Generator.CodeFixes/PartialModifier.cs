namespace BlitQueue.Generator.CodeFixes;

/// <summary>Adds the keyword <c>partial</c>, which a message type needs.</summary>
internal static class PartialModifier
{
    public static TypeDeclarationSyntax AddTo(TypeDeclarationSyntax declaration)
    {
        if (declaration.Modifiers.Any(SyntaxKind.PartialKeyword))
        {
            return declaration;
        }

        // Class or struct may be its line's first token: the comments and the indentation in front of it move to partial.
        SyntaxToken keyword = declaration.Keyword,
            partial = SyntaxFactory.Token(
                keyword.LeadingTrivia, SyntaxKind.PartialKeyword, SyntaxFactory.TriviaList(SyntaxFactory.Space));
        return declaration.WithKeyword(keyword.WithLeadingTrivia()).WithModifiers(declaration.Modifiers.Add(partial));
    }
}
