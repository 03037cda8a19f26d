using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>The names in a file that may have type arguments, and the file's generic types and methods around each name.</summary>
internal sealed class GenericUses
{
    private readonly Dictionary<SyntaxNode, HashSet<string>> _declarations = [];

    public GenericUses(SyntaxNode root)
    {
        foreach (SyntaxNode node in root.DescendantNodes())
        {
            if (node is GenericNameSyntax { IsUnboundGenericName: true } or not SimpleNameSyntax)
            {
                continue;
            }

            var name = (SimpleNameSyntax)node;
            if (name is GenericNameSyntax || IsCalled(name))
            {
                Add(name);
            }
        }
    }

    /// <summary>Names with type arguments, and names of called methods, whose type arguments may be inferred.</summary>
    public List<SimpleNameSyntax> Names { get; } = [];

    /// <summary>The names of the file's generic types and methods that contain one of the given names.</summary>
    public IEnumerable<string> Around(ICollection<string> names)
        => _declarations.Where(pair => pair.Value.Overlaps(names)).Select(pair => NameOf(pair.Key));

    /// <summary>Whether the name is that of the called method: <c>Wrap(order)</c>, <c>Box.Of(order)</c>.</summary>
    public static bool IsCalled(SimpleNameSyntax name)
    {
        SyntaxNode whole = name.Parent is MemberAccessExpressionSyntax access && access.Name == name ? access
            : name.Parent is MemberBindingExpressionSyntax binding ? binding
            : (SyntaxNode)name;
        return whole.Parent is InvocationExpressionSyntax call && call.Expression == whole;
    }

    private void Add(SimpleNameSyntax name)
    {
        Names.Add(name);
        foreach (SyntaxNode? around in name.Ancestors().Where(IsGeneric))
        {
            if (!_declarations.TryGetValue(around, out HashSet<string>? names))
            {
                _declarations.Add(around, names = []);
            }

            names.Add(name.Identifier.ValueText);
        }
    }

    private static bool IsGeneric(SyntaxNode node)
        => node is TypeDeclarationSyntax { TypeParameterList: not null }
            or MethodDeclarationSyntax { TypeParameterList: not null }
            or LocalFunctionStatementSyntax { TypeParameterList: not null };

    private static string NameOf(SyntaxNode declaration) => declaration switch
    {
        TypeDeclarationSyntax type => type.Identifier.ValueText,
        MethodDeclarationSyntax method => method.Identifier.ValueText,
        LocalFunctionStatementSyntax function => function.Identifier.ValueText,
        _ => "",
    };
}
