namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>Checks that the elements or keys of a sorted collection are comparable: its comparer is not packed.</summary>
internal static class Orders
{
    /// <summary>Why unpacking could not make the collection; null if it can.</summary>
    public static string? Fault(INamedTypeSymbol type, Container container)
    {
        if (container.SortedBy < 0 || Unordered(type.TypeArguments[container.SortedBy]) is not { } unordered)
        {
            return null;
        }

        string name = TypeNames.Text(unordered);
        string remedy = type.IsSealed
            ? ""
            : $", or derive a class from {TypeNames.Text(type)} whose constructor without parameters names a comparer";
        return $"{name} has no order to sort by; let it implement IComparable<{name}>{remedy}";
    }

    // The first type that is not comparable. Derived types and type arguments may be comparable, so types that allow these are accepted.
    private static ITypeSymbol? Unordered(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol or IErrorTypeSymbol or { TypeKind: TypeKind.Interface or TypeKind.Enum } or { IsAbstract: true } => null,
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable => Unordered(nullable.TypeArguments[0]),

        // A tuple compares its parts in turn, so all of them must be comparable.
        INamedTypeSymbol { IsTupleType: true } tuple => FirstUnordered(tuple.TupleElements.Select(part => part.Type)),
        INamedTypeSymbol { Name: "Tuple", IsGenericType: true } tuple when IsComparable(tuple) => FirstUnordered(tuple.TypeArguments),
        _ => IsComparable(type) ? null : type,
    };

    private static ITypeSymbol? FirstUnordered(IEnumerable<ITypeSymbol> parts)
        => parts.Select(Unordered).FirstOrDefault(part => part is not null);

    private static bool IsComparable(ITypeSymbol type)
        => type.AllInterfaces.Any(contract => KnownTypes.Is(contract.OriginalDefinition, KnownTypes.IComparable)
            || (KnownTypes.Is(contract.OriginalDefinition, KnownTypes.IComparableOf) && Takes(contract.TypeArguments[0], type)));

    // IComparable<T> is contravariant: a comparison with a base class also works for the classes that derive from it.
    private static bool Takes(ITypeSymbol compared, ITypeSymbol type)
    {
        for (ITypeSymbol? above = type; above is not null; above = above.BaseType)
        {
            if (SymbolEqualityComparer.Default.Equals(above, compared))
            {
                return true;
            }
        }

        return type.AllInterfaces.Contains(compared, SymbolEqualityComparer.Default);
    }
}
