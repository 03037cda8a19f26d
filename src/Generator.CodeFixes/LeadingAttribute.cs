namespace BlitQueue.Generator.CodeFixes;

/// <summary>An attribute in front of a declaration; comments above the declaration stay above both.</summary>
internal static class LeadingAttribute
{
    /// <summary>Adds the attribute on the declaration's own line.</summary>
    public static TDeclaration AddTo<TDeclaration>(TDeclaration declaration, string name)
        where TDeclaration : MemberDeclarationSyntax
        => Insert(declaration.WithLeadingTrivia(), List(name, declaration).WithTrailingTrivia(SyntaxFactory.Space));

    /// <summary>An attribute list with this attribute alone; the comments above the declaration move in front of it.</summary>
    public static AttributeListSyntax List(string name, MemberDeclarationSyntax declaration)
        => SyntaxFactory.AttributeList(SyntaxFactory.SingletonSeparatedList(SyntaxFactory.Attribute(SyntaxFactory.ParseName(name))))
            .WithLeadingTrivia(declaration.GetLeadingTrivia());

    /// <summary>Puts the list in front of the declaration's other attributes.</summary>
    public static TDeclaration Insert<TDeclaration>(TDeclaration declaration, AttributeListSyntax list)
        where TDeclaration : MemberDeclarationSyntax
        => (TDeclaration)declaration.WithAttributeLists(declaration.AttributeLists.Insert(0, list));
}
