using BlitQueue.Generator.Diagnose.Migration;

namespace BlitQueue.Generator.CodeFixes.Migration;

/// <summary>Rewrites one part of a type; types nested in it are left as they are.</summary>
internal sealed class MessageRewriter(SemanticModel model, TypeDeclarationSyntax part, INamedTypeSymbol type) : CSharpSyntaxRewriter
{
    private const string Receiver = "MessagePack.IMessagePackSerializationCallbackReceiver";

    private static readonly SyntaxToken Comma = SyntaxFactory.Token(
        default, SyntaxKind.CommaToken, SyntaxFactory.TriviaList(SyntaxFactory.Space));

    // What stood in front of attributes that were removed, and comments behind them: the next token's.
    private readonly List<SyntaxTrivia> _left = [];

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

        if (remaining.Count == 0)
        {
            Leave(list);
            return null;
        }

        IEnumerable<SyntaxToken> separators = remaining.Count == list.Attributes.Count
            ? list.Attributes.GetSeparators()
            : Enumerable.Repeat(Comma, remaining.Count - 1);
        AttributeListSyntax changed = list.WithAttributes(SyntaxFactory.SeparatedList(remaining, separators));
        return _left.Count == 0 ? changed : changed.WithLeadingTrivia(TakeLeft(changed.GetLeadingTrivia()));
    }

    public override SyntaxToken VisitToken(SyntaxToken token)
        => _left.Count == 0 ? base.VisitToken(token) : token.WithLeadingTrivia(TakeLeft(token.LeadingTrivia));

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
        return isCalled ? LeadingAttribute.AddTo(visited, Imports.Name(model, node.SpanStart, callback!), node) : visited;
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

        return LeadingAttribute.AddTo(rewritten, Imports.Name(model, part.SpanStart, "QueueMessage"), part);
    }

    private void Leave(AttributeListSyntax removed)
    {
        _left.AddRange(TakeLeft(removed.GetLeadingTrivia()));
        SyntaxTriviaList behind = removed.GetTrailingTrivia();
        if (!behind.All(LineLayout.IsSpace))
        {
            _left.AddRange(behind.SkipWhile(LineLayout.IsBlank));
        }
    }

    // What was left, and a token's own trivia. The attribute's line is gone: where a line has begun already, the token stands in it.
    private List<SyntaxTrivia> TakeLeft(SyntaxTriviaList own)
    {
        bool hasBegun = _left.Count > 0 && !_left[_left.Count - 1].IsKind(SyntaxKind.EndOfLineTrivia);
        List<SyntaxTrivia> all = [.. _left, .. !hasBegun ? own : own.All(LineLayout.IsSpace) ? [] : own.SkipWhile(LineLayout.IsBlank)];
        _left.Clear();
        return all;
    }
}
