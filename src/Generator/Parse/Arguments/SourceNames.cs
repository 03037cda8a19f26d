using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>What can be said of a file by its text alone. Looked for once per file: an edit elsewhere leaves its tree as it is.</summary>
internal sealed class SourceNames
{
    private static readonly ConditionalWeakTable<SyntaxTree, SourceNames> Known = new();

    private readonly SyntaxNode _root;
    private GenericUses? _uses;

    private SourceNames(SyntaxNode root)
    {
        _root = root;
        Marked = [.. root.DescendantNodes(ContainsTypes).OfType<TypeDeclarationSyntax>().Where(IsMarked)];
    }

    /// <summary>Types with attributes that have type parameters, or stand in types that have.</summary>
    public IReadOnlyList<TypeDeclarationSyntax> Marked { get; }

    /// <summary>What the file does with type arguments: looked for only in a project that has use for it.</summary>
    public GenericUses Uses => _uses ??= new GenericUses(_root);

    public static SourceNames Of(SyntaxTree tree, CancellationToken cancellation)
    {
        if (Known.TryGetValue(tree, out SourceNames? known))
        {
            return known;
        }

        var names = new SourceNames(tree.GetRoot(cancellation));
        return Known.GetValue(tree, _ => names);
    }

    private static bool ContainsTypes(SyntaxNode node)
        => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax or TypeDeclarationSyntax;

    private static bool IsMarked(TypeDeclarationSyntax type) => type.AttributeLists.Count > 0 && IsGeneric(type);

    private static bool IsGeneric(TypeDeclarationSyntax type)
        => type.TypeParameterList is not null || (type.Parent is TypeDeclarationSyntax outer && IsGeneric(outer));
}
