using BlitQueue.Generator.Parse.Kinds;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>The parts of a generic message that depend on its type parameters.</summary>
internal sealed record OpenMembers
{
    /// <summary>The types of the members, or of a union's cases, that contain a type parameter.</summary>
    public required IReadOnlyList<ITypeSymbol> Types { get; init; }

    /// <summary>The type parameters whose values this message packs itself, instead of another message in it.</summary>
    public required IReadOnlyList<ITypeParameterSymbol> Parameters { get; init; }

    public bool Any => Types.Count > 0;

    public static OpenMembers Of(INamedTypeSymbol definition, Compilation compilation)
    {
        var types = TypesOf(definition, compilation).Where(TypeTrees.IsOpen).ToList();
        return new OpenMembers
        {
            Types = types,
            Parameters = [.. types.SelectMany(Packed).Distinct<ITypeParameterSymbol>(SymbolEqualityComparer.Default)],
        };
    }

    private static IEnumerable<ITypeSymbol> TypesOf(INamedTypeSymbol definition, Compilation compilation)
        => UnionParser.IsUnion(definition)
            ? UnionParser.CaseTypes(definition, compilation)
            : MemberFinder.Find(definition, compilation, new DiagnosticBag())
                .Where(member => !KnownTypes.Has(member.Symbol, KnownTypes.PackWith))
                .Select(member => member.Type);

    private static IEnumerable<ITypeParameterSymbol> Packed(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol parameter => ArgumentKind.IsMessage(parameter) ? [] : [parameter],
        IArrayTypeSymbol array => Packed(array.ElementType),
        INamedTypeSymbol named when !Messages.Is(named) => named.TypeArguments.SelectMany(Packed),
        _ => [],
    };
}
