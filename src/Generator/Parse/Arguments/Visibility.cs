namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>Says which code can name a type.</summary>
internal static class Visibility
{
    /// <summary>Whether all code of the project can name the type.</summary>
    public static bool IsOpenToAll(ITypeSymbol type, Compilation compilation)
        => Named(type).All(part => !part.IsFileLocal && compilation.IsSymbolAccessibleWithin(part, compilation.Assembly));

    /// <summary>For a type that only code inside another type can name: that other type, if code can be generated there.</summary>
    public static INamedTypeSymbol? HomeOf(ITypeSymbol type, Compilation compilation)
    {
        INamedTypeSymbol? home = Named(type).Select(InnermostHome).OfType<INamedTypeSymbol>().OrderByDescending(Nesting).FirstOrDefault();
        return home is not null
            && !HeaderParser.TypeParameterSymbols(home).Any()
            && HeaderParser.IsPartialThroughout(home)
            && Named(type).All(part => !part.IsFileLocal && compilation.IsSymbolAccessibleWithin(part, home))
            ? home
            : null;
    }

    private static IEnumerable<INamedTypeSymbol> Named(ITypeSymbol type) => TypeTrees.Parts(type).OfType<INamedTypeSymbol>();

    private static INamedTypeSymbol? InnermostHome(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? part = type; part is not null; part = part.ContainingType)
        {
            if (part.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal)
            {
                return part.ContainingType;
            }
        }

        return null;
    }

    private static int Nesting(INamedTypeSymbol type) => type.ContainingType is { } outer ? 1 + Nesting(outer) : 0;
}
