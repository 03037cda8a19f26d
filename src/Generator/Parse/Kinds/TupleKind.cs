namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>
/// Types that contain a fixed number of values: both kinds of tuples, KeyValuePair, Lazy as a tuple of one, IGrouping as a tuple of a key
/// and a sequence.
/// </summary>
internal static class TupleKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol { IsGenericType: true } named || !IsTuple(named))
        {
            return null;
        }

        // A value tuple is packed as one flat row, as C# names its elements, although it stores the eighth and later ones in a nested
        // tuple.
        ImmutableArray<ITypeSymbol> items = named.IsTupleType && named.TypeArguments.Length > 1
            ? [.. named.TupleElements.Select(element => element.Type)]
            : type.Name == "IGrouping" ? [named.TypeArguments[0], .. named.AllInterfaces.Where(contract => contract.IsGenericType)]
            : named.TypeArguments;
        List<WireType> parts = [];
        foreach (ITypeSymbol item in items)
        {
            if (WireKinds.Classify(item, rejection) is not { } part)
            {
                return null;
            }

            parts.Add(part);
        }

        return new WireType
        {
            Kind = WireKind.Tuple,
            Name = TypeNames.Code(type),
            Word = $"{type.Name}Of{string.Join("And", items.Zip(parts, Sequences.ItemWord))}",
            Parts = new EquatableArray<WireType>(parts),
            Container = type.Name,
            IsOpen = type.Name is "Lazy" or "IGrouping",
            IsValueType = type.IsValueType,
        };
    }

    private static bool IsTuple(INamedTypeSymbol type) => type.Name switch
    {
        "ValueTuple" or "Tuple" or "Lazy" => type.ContainingType is null && type.ContainingNamespace.ToDisplayString() == "System"
            && IsOfArity(type),
        "KeyValuePair" => KnownTypes.Is(type.OriginalDefinition, "System.Collections.Generic.KeyValuePair`2"),
        "IGrouping" => KnownTypes.Is(type.OriginalDefinition, KnownTypes.IGrouping),
        _ => false,
    };

    // Not Lazy<T, TMetadata>: its metadata would not be packed.
    private static bool IsOfArity(INamedTypeSymbol type) => type.Name != "Lazy" || type.Arity == 1;
}
