using System.Globalization;
using System.Text;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Caching;

/// <summary>
/// A declaration as text in which nothing is left out that a parse of a message could see: every token outside the bodies of methods,
/// and the directives that say whether types can be null. Comments and blanks are not in it.
/// </summary>
internal static class DeclarationText
{
    public static string Of(MemberDeclarationSyntax declaration)
    {
        StringBuilder text = new();
        WriteDirectivesBefore(declaration, text);
        foreach (SyntaxToken token in declaration.DescendantTokens(node => !IsBody(node)))
        {
            if (token.ContainsDirectives)
            {
                WriteDirectives(token, text);
            }

            Write(text, token.Text);
        }

        return text.ToString();
    }

    /// <summary>The length first: no two rows of texts come out alike.</summary>
    public static void Write(StringBuilder target, string text)
        => target.Append(text.Length.ToString(CultureInfo.InvariantCulture)).Append(' ').Append(text);

    // What stands around a body stays, so that a method with one and a method without one differ. That of an accessor decides whether
    // there is a field behind the property. What a directive inside a body says of null counts behind it as well.
    private static bool IsBody(SyntaxNode node)
        => node is BlockSyntax { Parent: BaseMethodDeclarationSyntax }
        or { Parent: ArrowExpressionClauseSyntax { Parent: BaseMethodDeclarationSyntax } }
        && !(node.ContainsDirectives && ((CSharpSyntaxNode)node).GetFirstDirective(IsNullable) is not null);

    private static void WriteDirectives(SyntaxToken token, StringBuilder text)
    {
        foreach (SyntaxTrivia trivia in token.LeadingTrivia)
        {
            if (trivia.IsKind(SyntaxKind.NullableDirectiveTrivia))
            {
                Write(text, trivia.ToString());
            }
        }
    }

    private static void WriteDirectivesBefore(MemberDeclarationSyntax declaration, StringBuilder text)
    {
        var root = (CSharpSyntaxNode)declaration.SyntaxTree.GetRoot();
        if (!root.ContainsDirectives)
        {
            return;
        }

        for (DirectiveTriviaSyntax? directive = root.GetFirstDirective(IsNullable);
            directive is not null && directive.SpanStart < declaration.FullSpan.Start;
            directive = directive.GetNextDirective(IsNullable))
        {
            Write(text, directive.ToString());
        }
    }

    private static bool IsNullable(DirectiveTriviaSyntax directive) => directive.IsKind(SyntaxKind.NullableDirectiveTrivia);
}
