namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A collection of .NET that is neither an array nor a List.</summary>
internal static class CollectionKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol named || Containers.Find(named) is not { } container || ItemOf(named, container) is not { } item)
        {
            return null;
        }

        if (Orders.Fault(named, container) is { } fault)
        {
            return rejection.CannotPack(fault);
        }

        return WireKinds.Classify(item, rejection) is { } element ? Of(named, container, item, element) : null;
    }

    public static WireType Of(INamedTypeSymbol type, Container container, ITypeSymbol item, WireType element)
    {
        return new WireType
        {
            Kind = WireKind.Collection,
            Name = TypeNames.Code(type),
            Word = $"{type.Name}Of{Sequences.ItemWord(item, element)}",
            Element = element,
            ElementName = Sequences.ItemName(item),
            Container = container.Type,
            IsOpen = container.IsOpen,
            IsValueType = type.IsValueType,
            Via = container.Source switch
            {
                ContainerSource.Array => Sequences.ArrayOf(item, element),
                ContainerSource.List => Sequences.ListOf(item, element),
                ContainerSource.Set => Sequences.SetOf(item, element),
                _ => null,
            },
        };
    }

    /// <summary>The element's type; null for a dictionary.</summary>
    public static ITypeSymbol? ItemOf(INamedTypeSymbol type, Container container) => container.EnumeratedBy switch
    {
        null => type.TypeArguments.Length == 1 ? type.TypeArguments[0] : null,
        "" => Sequences.EnumeratedBy(type),
        var property => type.GetMembers(property).OfType<IPropertySymbol>()
            .Select(items => Sequences.EnumeratedBy(items.Type)).FirstOrDefault(),
    };
}
