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

        SyntaxToken partial = SyntaxFactory.Token(SyntaxKind.PartialKeyword).WithTrailingTrivia(SyntaxFactory.Space);
        if (declaration.Modifiers.Count > 0)
        {
            return declaration.WithModifiers(declaration.Modifiers.Add(partial));
        }

        // Without other modifiers, class or struct is the line's first token: the comments and the indentation in front of it move to
        // partial.
        SyntaxToken keyword = declaration.Keyword;
        return declaration
            .WithKeyword(keyword.WithLeadingTrivia())
            .WithModifiers(SyntaxFactory.TokenList(partial.WithLeadingTrivia(keyword.LeadingTrivia)));
    }
}
