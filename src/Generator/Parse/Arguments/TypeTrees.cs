namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>Finds the types of which a type, or a method with type arguments, is composed.</summary>
internal static class TypeTrees
{
    /// <summary>
    /// The symbol itself, its element type, its type arguments and those of the types around it, and all of the same of these.
    /// </summary>
    public static IEnumerable<ISymbol> Parts(ISymbol symbol)
    {
        yield return symbol;
        foreach (ISymbol? part in Below(symbol).SelectMany(Parts))
        {
            yield return part;
        }
    }

    /// <summary>How deep types are nested in each other: 1 for int, 3 for List&lt;int[]&gt;.</summary>
    public static int Depth(ISymbol symbol) => 1 + Below(symbol).Select(Depth).DefaultIfEmpty().Max();

    public static bool IsOpen(ITypeSymbol type) => Parts(type).Any(part => part is ITypeParameterSymbol);

    /// <summary>The generic types and methods whose type parameters the symbol contains, the innermost first.</summary>
    public static IReadOnlyList<ISymbol> OwnersOf(ISymbol symbol)
        => [.. Parts(symbol).OfType<ITypeParameterSymbol>()
            .Select(parameter => parameter.ContainingSymbol)
            .Distinct<ISymbol>(SymbolEqualityComparer.Default)
            .OrderByDescending(Nesting)];

    private static int Nesting(ISymbol symbol) => symbol.ContainingSymbol is { } outer ? 1 + Nesting(outer) : 0;

    private static IEnumerable<ITypeSymbol> Below(ISymbol symbol) => symbol switch
    {
        IArrayTypeSymbol array => [array.ElementType],
        INamedTypeSymbol { ContainingType: { } outer } named => named.TypeArguments.Append(outer),
        INamedTypeSymbol named => named.TypeArguments,
        IMethodSymbol method => method.TypeArguments.Append(method.ContainingType),
        _ => [],
    };
}
