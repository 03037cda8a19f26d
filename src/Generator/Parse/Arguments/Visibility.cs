using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>From where a type can be named.</summary>
internal static class Visibility
{
    /// <summary>Whether any code of the project can name the type.</summary>
    public static bool IsOpenToAll(ITypeSymbol type, Compilation compilation)
        => TypeTrees.Parts(type).All(part => part is not INamedTypeSymbol { IsFileLocal: true } && compilation.IsSymbolAccessibleWithin(part, compilation.Assembly));
}
