namespace BlitQueue.Generator.CodeFixes;

/// <summary>How a type of the library is named where its namespace may not be imported.</summary>
internal static class Imports
{
    private const string Library = "BlitQueue";

    /// <summary>The attribute's short name where that means the library's, else the full one.</summary>
    public static string Name(SemanticModel model, int position, string name)
    {
        // Written short, [PackIgnore] is looked up both as it stands and with the suffix.
        ImmutableArray<ISymbol> meant = model.LookupNamespacesAndTypes(position, name: name + "Attribute");
        ImmutableArray<ISymbol> others = model.LookupNamespacesAndTypes(position, name: name);
        return meant.Length == 1 && others.IsEmpty && IsLibrary(meant[0].ContainingNamespace) ? name : $"{Library}.{name}";
    }

    /// <summary>The type's short name where that means the library's, else the full one.</summary>
    public static string TypeName(SemanticModel model, int position, string name)
    {
        ImmutableArray<ISymbol> meant = model.LookupNamespacesAndTypes(position, name: name);
        return meant.Length == 1 && IsLibrary(meant[0].ContainingNamespace) ? name : $"{Library}.{name}";
    }

    private static bool IsLibrary(INamespaceSymbol? space) => space is { Name: Library, ContainingNamespace.IsGlobalNamespace: true };
}
