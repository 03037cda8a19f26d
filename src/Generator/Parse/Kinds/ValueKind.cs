namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A number, a date, a Guid: what has a packed form of its own.</summary>
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
