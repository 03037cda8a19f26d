namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A dictionary of .NET.</summary>
internal static class DictionaryKind
{
    private const string Dictionary = "System.Collections.Generic.Dictionary`2";

    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol { TypeArguments.Length: 2 } named || Containers.Find(named) is not { } container)
        {
            return null;
        }

        if (Orders.Fault(named, container) is { } fault)
        {
            return rejection.CannotPack(fault);
        }

        return Of(named, container, named.TypeArguments[0], named.TypeArguments[1], rejection);
    }

    public static WireType? Of(INamedTypeSymbol type, Container container, ITypeSymbol keys, ITypeSymbol values, Rejection rejection)
    {
        if (WireKinds.Classify(keys, rejection) is not { } key || WireKinds.Classify(values, rejection) is not { } value)
        {
            return null;
        }

        string words = $"Of{Sequences.ItemWord(keys, key)}And{Sequences.ItemWord(values, value)}";
        var dictionary = new WireType
        {
            Kind = WireKind.Dictionary,
            Name = TypeNames.Code(type),
            Word = type.Name + words,
            Parts = new EquatableArray<WireType>([key, value]),
            ElementName = $"{Sequences.ItemName(keys)}, {Sequences.ItemName(values)}",
            Container = container.Type,
            IsOpen = container.IsOpen,
        };
        return container.Source == ContainerSource.None ? dictionary : dictionary with
        {
            Via = dictionary with
            {
                Name = $"global::System.Collections.Generic.Dictionary<{dictionary.ElementName}>",
                Word = "Dictionary" + words,
                Container = Dictionary,
                IsOpen = false,
            },
        };
    }
}
