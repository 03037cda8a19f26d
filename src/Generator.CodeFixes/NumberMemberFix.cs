using System.Globalization;

namespace BlitQueue.Generator.CodeFixes;

/// <summary>Adds [PackOrder] with the next free number to a member that has no number.</summary>
/// <remarks>
/// The number depends on how many members without a number stand before it, so that one run can fix all of them with different numbers. The
/// fix cannot see the number of a removed member, unless a higher one is in use.
/// </remarks>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(NumberMemberFix))]
[Shared]
public sealed class NumberMemberFix() : SyntaxFix<SyntaxNode>(
    "Give the member the next number with [PackOrder]", DiagnosticIds.UnusableOrder)
{
    private const string Order = "PackOrder";

    // Not for several fields in one declaration: an attribute there would give all of them the same number.
    private protected override SyntaxNode? Find(SyntaxNode root, Diagnostic diagnostic)
    {
        SyntaxNode? node = root.FindToken(diagnostic.Location.SourceSpan.Start).Parent;
        SyntaxNode? member = node?.FirstAncestorOrSelf<SyntaxNode>(
            static part => part is ParameterSyntax or MemberDeclarationSyntax);
        return member switch
        {
            ParameterSyntax { Parent.Parent: RecordDeclarationSyntax } parameter when !HasNumber(parameter.AttributeLists) => parameter,
            PropertyDeclarationSyntax property when !HasNumber(property.AttributeLists) => property,
            FieldDeclarationSyntax { Declaration.Variables.Count: 1 } field when !HasNumber(field.AttributeLists) => field,
            _ => null,
        };
    }

    private protected override async Task<Solution> FixAsync(Document document, SyntaxNode node, CancellationToken cancellation)
    {
        SemanticModel? model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        INamedTypeSymbol type = model!.GetDeclaredSymbol(node.FirstAncestorOrSelf<TypeDeclarationSyntax>()!, cancellation)!;
        int number = NumberOf(type, node.SpanStart, node.SyntaxTree);
        string attribute = $"{Imports.Name(model!, node.SpanStart, Order)}({number.ToString(CultureInfo.InvariantCulture)})";
        return await RewriteAsync(document, root => root.ReplaceNode(node, Numbered(node, attribute)), cancellation).ConfigureAwait(false);
    }

    private static SyntaxNode Numbered(SyntaxNode node, string attribute)
    {
        if (node is not ParameterSyntax parameter)
        {
            return LeadingAttribute.AddBeside((MemberDeclarationSyntax)node, attribute);
        }

        AttributeListSyntax list = LeadingAttribute.List($"[property: {attribute}] ").WithLeadingTrivia(parameter.GetLeadingTrivia());
        ParameterSyntax bare = parameter.WithLeadingTrivia();
        return bare.WithAttributeLists(bare.AttributeLists.Insert(0, list));
    }

    // Above all numbers of the type and its bases, plus one for each member before this one that has none yet.
    private static int NumberOf(INamedTypeSymbol type, int position, SyntaxTree tree)
    {
        int next = 0;
        for (INamedTypeSymbol? part = type; part is not null; part = part.BaseType)
        {
            next = part.GetMembers().Select(NumberOf).Prepend(next - 1).Max() + 1;
        }

        return next + type.GetMembers().Where(NeedsNumber).SelectMany(member => member.DeclaringSyntaxReferences)
            .Count(declaration => declaration.SyntaxTree == tree && declaration.Span.End <= position);
    }

    private static bool NeedsNumber(ISymbol member)
        => member is IFieldSymbol { IsStatic: false, IsImplicitlyDeclared: false } or IPropertySymbol { IsStatic: false, IsIndexer: false }
            && NumberOf(member) < 0 && Find(member, "PackIgnore") is null
            && (member.DeclaredAccessibility == Accessibility.Public || Find(member, "PackInclude") is not null);

    private static int NumberOf(ISymbol member)
        => Find(member, Order)?.ConstructorArguments.FirstOrDefault().Value is int number ? number : -1;

    private static AttributeData? Find(ISymbol member, string attribute)
        => member.GetAttributes().FirstOrDefault(data =>
            data.AttributeClass is { ContainingNamespace.Name: "BlitQueue" } type && type.Name == attribute + "Attribute");

    private static bool HasNumber(SyntaxList<AttributeListSyntax> lists)
        => lists.Any(list => list.Attributes.Any(attribute => attribute.Name.ToString() is var name
            && (name.EndsWith(Order, StringComparison.Ordinal) || name.EndsWith(Order + "Attribute", StringComparison.Ordinal))));
}
