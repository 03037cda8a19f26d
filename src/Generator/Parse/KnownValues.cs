namespace BlitQueue.Generator.Parse;

/// <summary>The value types of fixed size that the packed layout defines.</summary>
internal static class KnownValues
{
    private static readonly Dictionary<SpecialType, KnownValue> Special = new()
    {
        [SpecialType.System_Boolean] = new("bool", 1),
        [SpecialType.System_Byte] = new("u8", 1, 1),
        [SpecialType.System_SByte] = new("i8", 1, 1),
        [SpecialType.System_Char] = new("char", 2, 2),
        [SpecialType.System_Int16] = new("i16", 2, 2),
        [SpecialType.System_UInt16] = new("u16", 2, 2),
        [SpecialType.System_Int32] = new("i32", 4, 4),
        [SpecialType.System_UInt32] = new("u32", 4, 4),
        [SpecialType.System_Int64] = new("i64", 8, 8),
        [SpecialType.System_UInt64] = new("u64", 8, 8),
        [SpecialType.System_Single] = new("f32", 4, 4),
        [SpecialType.System_Double] = new("f64", 8, 8),
        [SpecialType.System_Decimal] = new("decimal", 16),
        [SpecialType.System_DateTime] = new("datetime", 8),
    };

    private static readonly Dictionary<string, KnownValue> Named = new()
    {
        [KnownTypes.Guid] = new("guid", 16, 4),
        [KnownTypes.Half] = new("f16", 2, 2),
        [KnownTypes.Int128] = new("i128", 16),
        [KnownTypes.UInt128] = new("u128", 16),
        [KnownTypes.DateTimeOffset] = new("datetimeoffset", 10),
        [KnownTypes.TimeSpan] = new("timespan", 8, 8),
        [KnownTypes.DateOnly] = new("date", 4),
        [KnownTypes.TimeOnly] = new("time", 8),
        [KnownTypes.Complex] = new("complex", 16, 8),
        [KnownTypes.Rune] = new("rune", 4),
    };

    public static KnownValue? Find(ITypeSymbol type)
    {
        if (Special.TryGetValue(type.SpecialType, out KnownValue? special))
        {
            return special;
        }

        if (type.SpecialType != SpecialType.None || !type.IsValueType)
        {
            return null;
        }

        foreach (KeyValuePair<string, KnownValue> named in Named)
        {
            if (KnownTypes.Is(type, named.Key))
            {
                return named.Value;
            }
        }

        return null;
    }
}
