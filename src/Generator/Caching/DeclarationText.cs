using System.Globalization;
using System.Text;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Caching;

/// <summary>
/// A declaration as text with all that a parse of a message could see: every token outside the bodies of methods, and the nullable
/// directives. Without comments and white space.
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

    /// <summary>Writes the length in front of the text, so that different sequences of texts never give the same result.</summary>
    public static void Write(StringBuilder target, string text)
        => target.Append(text.Length.ToString(CultureInfo.InvariantCulture)).Append(' ').Append(text);

    // The braces stay, so that a method with a body differs from one without. The body of an accessor stays too: it decides whether the
    // property has a field. So do nullable directives inside a body, because they apply to the code behind it as well.
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
