using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Parse;

/// <summary>
/// Attributes by which a member, constructor or callback warns those who use it: generated code must compile all the same.
/// </summary>
internal static class UserMarks
{
    /// <summary>Whether the compiler reports a use as an error, except in obsolete code.</summary>
    public static bool IsObsoleteAsError(ISymbol? symbol)
        => WithAccessors(symbol).Any(part => KnownTypes.Find(part, KnownTypes.Obsolete)?.ConstructorArguments is [_, { Value: true }]);

    /// <summary>The diagnostic ids, other than the compiler's usual ones, that are reported if such symbols are used.</summary>
    public static IEnumerable<string> Ids(IEnumerable<ISymbol?> symbols)
        => symbols.SelectMany(WithAccessors).SelectMany(IdsOf).Where(SyntaxFacts.IsValidIdentifier).Distinct()
            .OrderBy(id => id, StringComparer.Ordinal);

    // For a ref readonly parameter the compiler warns of an argument without ref or in (CS9192), and of one that is no variable (CS9193).
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
