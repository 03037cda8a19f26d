using System.Globalization;

namespace BlitQueue.Generator.CodeFixes;

/// <summary>Gives a member that needs a place of its own the next free number.</summary>
/// <remarks>
/// Each member without a number has one of its own from the beginning, by how many of them stand before it: so all of them can be fixed at
/// once. A number that a removed member left behind is not seen, unless one above it is in use.
/// </remarks>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(NumberMemberFix))]
[Shared]
public sealed class NumberMemberFix() : SyntaxFix<SyntaxNode>(
    "Give the member the next number with [PackOrder]", DiagnosticIds.UnusableOrder)
{
    private const string Order = "PackOrder";

    // Of several fields in one declaration each would get the same.
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
        string text = node is ParameterSyntax ? $"[property: {attribute}] " : $"[{attribute}] ";
        SyntaxTriviaList above = node.GetLeadingTrivia();
        AttributeListSyntax list = ((MemberDeclarationSyntax)SyntaxFactory.ParseMemberDeclaration(text + "int x;")!).AttributeLists[0];
        return node switch
        {
            ParameterSyntax parameter => parameter.WithLeadingTrivia()
                .WithAttributeLists(parameter.WithLeadingTrivia().AttributeLists.Insert(0, list.WithLeadingTrivia(above))),
            _ => LeadingAttribute.Insert(((MemberDeclarationSyntax)node).WithLeadingTrivia(), list.WithLeadingTrivia(above)),
        };
    }

    // Behind all numbers that the type and its bases have, and behind the members before it that have none yet.
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
