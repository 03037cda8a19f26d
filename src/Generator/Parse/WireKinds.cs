using BlitQueue.Generator.Parse.Kinds;

namespace BlitQueue.Generator.Parse;

/// <summary>Decides what can be packed and as which kind: the first classifier that knows the type decides.</summary>
internal static class WireKinds
{
    private static readonly Func<ITypeSymbol, Rejection, WireType?>[] Classifiers =
    [
        ErrorKind.Classify,
        ArgumentKind.Classify,
        MessageKind.Classify,
        StringKind.Classify,
        ArrayKind.Classify,
        ListKind.Classify,
        ObjectKind.Classify,
        CollectionKind.Classify,
        DictionaryKind.Classify,
        TupleKind.Classify,
        OwnCollectionKind.Classify,
        NullableKind.Classify,
        EnumKind.Classify,
        ValueKind.Classify,
        BlitKind.Classify,
    ];

    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (rejection.Packer?.Invoke(type) is { } custom)
        {
            return custom;
        }

        WireType? named = rejection.Named.Find(type, rejection);
        if (named is not null || rejection.IsMade)
        {
            return named;
        }

        foreach (Func<ITypeSymbol, Rejection, WireType?> classifier in Classifiers)
        {
            WireType? classified = classifier(type, rejection);
            if (classified is not null || rejection.IsMade)
            {
                return classified;
            }
        }

        return rejection.CannotPack(Reason(type));
    }

    private static string Reason(ITypeSymbol type)
    {
        string name = TypeNames.Text(type);
        return type switch
        {
            { TypeKind: TypeKind.Dynamic } or { SpecialType: SpecialType.System_Object } => $"{name} can be anything; name the type",
            { TypeKind: TypeKind.Delegate } => $"{name} is a delegate",
            _ when UntypedCollections.Remedy(type) is { } remedy => $"{name} has elements of any type; {remedy}",
            { TypeKind: TypeKind.Interface } => $"{name} is an interface; use the type that implements it",
            { IsRefLikeType: true } => $"{name} is a ref struct",
            _ when Foreign.Is(type) => Foreign.Reason(type),
            _ => $"{name} is neither a kind that is known nor marked [QueueMessage]",
        };
    }
}
