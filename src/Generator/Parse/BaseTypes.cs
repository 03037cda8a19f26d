namespace BlitQueue.Generator.Parse;

/// <summary>A type and its base classes.</summary>
internal static class BaseTypes
{
    /// <summary>The user's classes from the lowest base class to the type itself.</summary>
    public static IEnumerable<INamedTypeSymbol> BasesFirst(INamedTypeSymbol message)
    {
        Stack<INamedTypeSymbol> types = new();
        for (INamedTypeSymbol? type = message; type is not null && !IsRoot(type); type = type.BaseType)
        {
            types.Push(type);
        }

        return types;
    }

    private static bool IsRoot(INamedTypeSymbol type) => type.SpecialType is SpecialType.System_Object or SpecialType.System_ValueType;
}
