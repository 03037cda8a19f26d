namespace BlitQueue.Generator.CodeFixes;

/// <summary>An attribute in front of a declaration; comments above the declaration stay above both.</summary>
internal static class LeadingAttribute
{
    /// <summary>Adds the attribute: on a line of its own where the declaration begins its line, else beside the declaration.</summary>
    /// <param name="declaration">What gets the attribute.</param>
    /// <param name="attribute">The attribute's name, and its arguments if it has any.</param>
    /// <param name="original">The declaration as it stands in the file.</param>
    public static TDeclaration AddTo<TDeclaration>(TDeclaration declaration, string attribute, TDeclaration original)
        where TDeclaration : MemberDeclarationSyntax
    {
        if (!LineLayout.BeginsLine(original))
        {
            return AddBeside(declaration, attribute);
        }

        AttributeListSyntax list = List($"[{attribute}]").WithLeadingTrivia(declaration.GetLeadingTrivia())
            .WithTrailingTrivia(LineLayout.NewLine(original.SyntaxTree.GetRoot()));
        return Insert(declaration.WithLeadingTrivia(LineLayout.Indentation(declaration.GetLeadingTrivia())), list);
    }

    /// <summary>Adds the attribute in the declaration's own line.</summary>
    public static TDeclaration AddBeside<TDeclaration>(TDeclaration declaration, string attribute)
        where TDeclaration : MemberDeclarationSyntax
        => Insert(declaration.WithLeadingTrivia(), List($"[{attribute}] ").WithLeadingTrivia(declaration.GetLeadingTrivia()));

    /// <summary>The attribute list with this text. It is parsed, so that it has no spaces but those in the text.</summary>
    public static AttributeListSyntax List(string text)
        => ((MemberDeclarationSyntax)SyntaxFactory.ParseMemberDeclaration(text + "int x;")!).AttributeLists[0];

    private static TDeclaration Insert<TDeclaration>(TDeclaration declaration, AttributeListSyntax list)
        where TDeclaration : MemberDeclarationSyntax
        => (TDeclaration)declaration.WithAttributeLists(declaration.AttributeLists.Insert(0, list));
}
