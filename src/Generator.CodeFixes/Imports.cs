namespace BlitQueue.Generator.CodeFixes;

/// <summary>Names of the library's types in code that may lack the using directive for their namespace.</summary>
internal static class Imports
{
    private const string Library = "BlitQueue";

    /// <summary>The attribute's short name where the compiler finds the library's attribute by it, else the full name.</summary>
    public static string Name(SemanticModel model, int position, string name)
    {
        // The compiler looks [PackIgnore] up both without the suffix Attribute and with it.
        ImmutableArray<ISymbol> meant = model.LookupNamespacesAndTypes(position, name: name + "Attribute");
        ImmutableArray<ISymbol> others = model.LookupNamespacesAndTypes(position, name: name);
        return meant.Length == 1 && others.IsEmpty && IsLibrary(meant[0].ContainingNamespace) ? name : $"{Library}.{name}";
    }

    /// <summary>The type's short name where the compiler finds the library's type by it, else the full name.</summary>
    public static string TypeName(SemanticModel model, int position, string name)
    {
        ImmutableArray<ISymbol> meant = model.LookupNamespacesAndTypes(position, name: name);
        return meant.Length == 1 && IsLibrary(meant[0].ContainingNamespace) ? name : $"{Library}.{name}";
    }

    private static bool IsLibrary(INamespaceSymbol? space) => space is { Name: Library, ContainingNamespace.IsGlobalNamespace: true };
}
