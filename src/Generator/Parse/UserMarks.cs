using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Parse;

/// <summary>What the user says of a member, constructor or callback to those who write code, which generated code is not.</summary>
internal static class UserMarks
{
    /// <summary>To use it is an error, except in what is itself out of use.</summary>
    public static bool IsObsoleteAsError(ISymbol? symbol)
        => WithAccessors(symbol).Any(part => KnownTypes.Find(part, KnownTypes.Obsolete)?.ConstructorArguments is [_, { Value: true }]);

    /// <summary>The ids that are reported where such symbols are used, beside the usual ones.</summary>
    public static IEnumerable<string> Ids(IEnumerable<ISymbol?> symbols)
        => symbols.SelectMany(WithAccessors).SelectMany(IdsOf).Where(SyntaxFacts.IsValidIdentifier).Distinct()
            .OrderBy(id => id, StringComparer.Ordinal);

    // An argument for a parameter that is a reference goes by itself, or is a value of another type.
    private static IEnumerable<string> IdsOf(ISymbol symbol)
    {
        if (symbol is IMethodSymbol { MethodKind: MethodKind.Constructor } constructor
            && constructor.Parameters.Any(parameter => parameter.RefKind == RefKind.RefReadOnlyParameter))
        {
            return [.. Marked(symbol), "CS9192", "CS9193"];
        }

        return Marked(symbol);
    }

    private static IEnumerable<string> Marked(ISymbol symbol)
        => symbol.GetAttributes().Select(IdOf).OfType<string>();

    private static string? IdOf(AttributeData attribute)
        => KnownTypes.Is(attribute.AttributeClass, KnownTypes.Obsolete)
            ? attribute.NamedArguments.FirstOrDefault(named => named.Key == "DiagnosticId").Value.Value as string
        : KnownTypes.Is(attribute.AttributeClass, KnownTypes.Experimental) && attribute.ConstructorArguments is [{ Value: string id }] ? id
        : null;

    private static IEnumerable<ISymbol> WithAccessors(ISymbol? symbol)
        => new[] { symbol, (symbol as IPropertySymbol)?.GetMethod, (symbol as IPropertySymbol)?.SetMethod }.OfType<ISymbol>();
}
