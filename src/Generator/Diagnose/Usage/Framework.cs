namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Recognizes the types of .NET.</summary>
internal static class Framework
{
    /// <summary>Whether a type is in the namespace System; with a part, in System.{part} or below it.</summary>
    public static bool Has(ITypeSymbol type, string? part)
    {
        for (INamespaceSymbol space = type.ContainingNamespace; space is { IsGlobalNamespace: false }; space = space.ContainingNamespace)
        {
            if (part is null ? IsSystem(space) : space.Name == part && IsSystem(space.ContainingNamespace))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsSystem(INamespaceSymbol space) => space is { Name: "System", ContainingNamespace.IsGlobalNamespace: true };
}
