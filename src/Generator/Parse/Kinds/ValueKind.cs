namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A value type with a packed form of its own: a number, a date, a Guid.</summary>
internal static class ValueKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
        => KnownValues.Find(type) is { } value
            ? new WireType
            {
                Kind = WireKind.Value,
                Name = TypeNames.Code(type),
                Word = type.Name,
                Schema = value.Schema,
                Size = value.Size,
            }
            : null;
}
