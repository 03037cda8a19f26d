using BlitQueue.Generator.Diagnose.Migration;

namespace BlitQueue.Generator.CodeFixes.Migration;

/// <summary>Rewrites one part of a type; types nested in it are left as they are.</summary>
internal sealed class MessageRewriter(SemanticModel model, TypeDeclarationSyntax part, INamedTypeSymbol type) : CSharpSyntaxRewriter
{
    private const string Receiver = "MessagePack.IMessagePackSerializationCallbackReceiver";

    public static TypeDeclarationSyntax Rewrite(SemanticModel model, TypeDeclarationSyntax part, INamedTypeSymbol type)
    {
        var rewritten = (TypeDeclarationSyntax)new MessageRewriter(model, part, type).Visit(part)!;
        return PartialModifier.AddTo(Mark(model, part, type, rewritten));
    }

    public override SyntaxNode? Visit(SyntaxNode? node)
        => node is BaseTypeDeclarationSyntax && node != part ? node : base.Visit(node);

    public override SyntaxNode? VisitAttributeList(AttributeListSyntax list)
    {
        List<AttributeSyntax> remaining = [];
        foreach (AttributeSyntax attribute in list.Attributes)
        {
            if (!AttributeMap.TryMap(model, attribute, out AttributeSyntax? mapped))
            {
                remaining.Add(attribute);
            }
            else if (mapped is not null)
            {
                remaining.Add(mapped);
            }
        }

        return remaining.Count == 0 ? null
            : remaining.Count == list.Attributes.Count
                ? list.WithAttributes(SyntaxFactory.SeparatedList(remaining, list.Attributes.GetSeparators()))
            : list.WithAttributes(SyntaxFactory.SeparatedList(remaining));
    }

    public override SyntaxNode? VisitPropertyDeclaration(PropertyDeclarationSyntax node)
        => WithSameStart(node, (MemberDeclarationSyntax)base.VisitPropertyDeclaration(node)!);

    public override SyntaxNode? VisitFieldDeclaration(FieldDeclarationSyntax node)
        => WithSameStart(node, (MemberDeclarationSyntax)base.VisitFieldDeclaration(node)!);

    // Callbacks: MessagePack finds them by an interface, MemoryPack and this library by attributes.
    public override SyntaxNode? VisitMethodDeclaration(MethodDeclarationSyntax node)
    {
        var visited = (MethodDeclarationSyntax)base.VisitMethodDeclaration(node)!;
        string? callback = node.Identifier.ValueText switch
        {
            "OnBeforeSerialize" => "OnPacking",
            "OnAfterDeserialize" => "OnUnpacked",
            _ => null,
        };
        bool isCalled = callback is not null && node.ParameterList.Parameters.Count == 0
            && type.AllInterfaces.Any(found => found.ToDisplayString() == Receiver);
        return isCalled ? LeadingAttribute.AddTo(visited, Imports.Name(model, node.SpanStart, callback!)) : visited;
    }

    // MessagePack marks a union by its cases alone: the first of these attributes becomes [QueueMessage].
    private static TypeDeclarationSyntax Mark(
        SemanticModel model, TypeDeclarationSyntax part, INamedTypeSymbol type, TypeDeclarationSyntax rewritten)
    {
        var marks = type.GetAttributes().Where(mark => RivalNames.All.Contains(mark.AttributeClass?.ToDisplayString())).ToList();
        if (marks.Any(mark => mark.AttributeClass!.ToDisplayString() != RivalNames.MessagePackUnion)
            || marks[0].ApplicationSyntaxReference is not { } first || first.SyntaxTree != part.SyntaxTree
            || !part.Span.Contains(first.Span))
        {
            return rewritten;
        }

        return LeadingAttribute.AddTo(rewritten, Imports.Name(model, part.SpanStart, "QueueMessage"));
    }

    // The comments and the indentation in front of a removed attribute belong to it in the syntax tree: they are put back.
    private static MemberDeclarationSyntax WithSameStart(MemberDeclarationSyntax before, MemberDeclarationSyntax after)
        => after.AttributeLists.Count < before.AttributeLists.Count ? after.WithLeadingTrivia(before.GetLeadingTrivia()) : after;
}
