namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A user's collection class: unpacking constructs it without arguments and calls its Add.</summary>
internal static class OwnCollectionKind
{
    // A generic class may contain larger forms of itself, without end: the search stops at this depth.
    private const int MaxDepth = 16;

    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct, IsUnmanagedType: false } named)
        {
            return null;
        }

        if (OwnCollection.Of(named) is not { } own)
        {
            return null;
        }

        if (own.Fault is { } fault)
        {
            return rejection.CannotPack(fault);
        }

        if (rejection.Open.Contains(named, SymbolEqualityComparer.Default) || rejection.Open.Count == MaxDepth)
        {
            return rejection.CannotPack(
                $"{TypeNames.Text(named)} is a collection that contains itself; make it a member of a [QueueMessage]");
        }

        rejection.Open.Push(named);
        WireType? classified = own.Dictionary is { } contract ? Dictionary(named, contract, rejection) : Collection(named, own, rejection);
        rejection.Open.Pop();
        return classified is null ? null : classified with
        {
            IsOwn = true,
            TakesCapacity = own.TakesCapacity,
            ComparerOf = own.ComparerOf is { } compared ? TypeNames.Code(compared) : "",
            Lost = own.Lost,
        };
    }

    private static WireType? Collection(INamedTypeSymbol type, OwnCollection own, Rejection rejection)
        => WireKinds.Classify(own.Item!, rejection) is { } element
            ? CollectionKind.Of(type, own.Container, own.Item!, element) with { IsOpen = own.Container != Containers.OwnList }
            : null;

    private static WireType? Dictionary(INamedTypeSymbol type, INamedTypeSymbol contract, Rejection rejection)
        => DictionaryKind.Of(type, Containers.OwnDictionary, contract.TypeArguments[0], contract.TypeArguments[1], rejection)
            is { } dictionary
                ? dictionary with { IsOpen = true }
                : null;
}
