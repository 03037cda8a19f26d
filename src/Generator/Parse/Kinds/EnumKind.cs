namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>An enum: packed as its number. Any number is allowed, also one that has no name.</summary>
internal static class EnumKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol { EnumUnderlyingType: { } underlying } || KnownValues.Find(underlying) is not { } number)
        {
            return null;
        }

        return new WireType
        {
            Kind = WireKind.Value,
            Name = TypeNames.Code(type),
            Word = TypeNames.Word(type),
            Schema = number.Schema,
            Size = number.Size,
        };
    }
}
