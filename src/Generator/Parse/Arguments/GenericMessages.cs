using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>The generic messages that a project can name.</summary>
internal static class GenericMessages
{
    /// <summary>The simple names by which the source names them, those of generic types around them included.</summary>
    public static HashSet<string> Names(Compilation compilation, CancellationToken cancellation)
    {
        HashSet<string> names = [];
        foreach (SyntaxTree tree in compilation.SyntaxTrees)
        {
            foreach (TypeDeclarationSyntax declaration in SourceNames.Of(tree, cancellation).Marked)
            {
                if (compilation.GetSemanticModel(tree).GetDeclaredSymbol(declaration, cancellation) is INamedTypeSymbol type)
                {
                    names.UnionWith(NamesOf(type, compilation));
                }
            }
        }

        foreach (MetadataReference reference in compilation.References)
        {
            names.UnionWith(ReferencedNames.Of(reference, compilation).Names);
        }

        return names;
    }

    public static IEnumerable<string> NamesOf(INamedTypeSymbol type, Compilation compilation)
    {
        if (!HeaderParser.TypeParameterSymbols(type).Any() || !Messages.Is(type) || !OpenMembers.Of(type, compilation).Any)
        {
            yield break;
        }

        for (INamedTypeSymbol? part = type; part is not null; part = part.ContainingType)
        {
            if (part.Arity > 0)
            {
                yield return part.Name;
            }
        }
    }
}
