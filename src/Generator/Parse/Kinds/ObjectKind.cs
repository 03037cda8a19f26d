namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A type of .NET that has a packed form of its own and no fixed size.</summary>
internal static class ObjectKind
{
    private static readonly Dictionary<string, string> Schemas = new()
    {
        [KnownTypes.BigInteger] = "bigint",
        [KnownTypes.Version] = "version",
        [KnownTypes.Uri] = "uri",
        [KnownTypes.StringBuilder] = "string",
        [KnownTypes.BitArray] = "bits",
        [KnownTypes.CultureInfo] = "culture",
        [KnownTypes.TimeZoneInfo] = "timezone",
    };

    /// <summary>The metadata names of these types.</summary>
    public static IEnumerable<string> Types => Schemas.Keys;

    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol { IsGenericType: false, SpecialType: SpecialType.None })
        {
            return null;
        }

        foreach (KeyValuePair<string, string> known in Schemas)
        {
            if (!KnownTypes.Is(type, known.Key))
            {
                continue;
            }

            return new WireType
            {
                Kind = WireKind.Object,
                Name = TypeNames.Code(type),
                Word = type.Name,
                Schema = known.Value,
                IsValueType = type.IsValueType,
            };
        }

        return null;
    }
}
