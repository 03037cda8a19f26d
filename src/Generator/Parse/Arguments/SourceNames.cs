using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>
/// What the syntax of one file says, without symbols. Found once per syntax tree: an edit of another file does not change the tree.
/// </summary>
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

    /// <summary>Types with attributes that are generic or nested in generic types.</summary>
    public IReadOnlyList<TypeDeclarationSyntax> Marked { get; }

    /// <summary>The file's uses of type arguments; found only in projects that need them.</summary>
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
