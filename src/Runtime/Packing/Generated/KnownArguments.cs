namespace BlitQueue.Generated;

/// <summary>The type arguments that need no generated code: string, and values of fixed size that the packed layout defines.</summary>
internal static class KnownArguments
{
    public static ArgumentPacker<T>? Of<T>(StringEncoding strings)
        => typeof(T) == typeof(string) ? (ArgumentPacker<T>)(object)new StringArgument(strings)
        : typeof(T).IsValueType ? (ArgumentPacker<T>?)OfValue(typeof(T))
        : null;

    // By Type and not by a type parameter, for each of which the JIT would compile all of it anew.
    private static object? OfValue(Type type)
        => Of<bool>(type, "bool")
        ?? Of<byte>(type, "u8")
        ?? Of<sbyte>(type, "i8")
        ?? Of<char>(type, "char")
        ?? Of<short>(type, "i16")
        ?? Of<ushort>(type, "u16")
        ?? Of<int>(type, "i32")
        ?? Of<uint>(type, "u32")
        ?? Of<long>(type, "i64")
        ?? Of<ulong>(type, "u64")
        ?? Of<Int128>(type, "i128")
        ?? Of<UInt128>(type, "u128")
        ?? Of<Half>(type, "f16")
        ?? Of<float>(type, "f32")
        ?? Of<double>(type, "f64")
        ?? Of<decimal>(type, "decimal")
        ?? Of<Guid>(type, "guid")
        ?? Of<Complex>(type, "complex")
        ?? Of<DateTime>(type, "datetime")
        ?? Of<DateTimeOffset>(type, "datetimeoffset")
        ?? Of<TimeSpan>(type, "timespan")
        ?? Of<DateOnly>(type, "date")
        ?? Of<TimeOnly>(type, "time")
        ?? Of<Rune>(type, "rune");

    private static object? Of<V>(Type type, string kind)
        where V : unmanaged
        => type == typeof(V) ? new ValueArgument<V>(kind)
        : type == typeof(V?) ? new NullableValueArgument<V>(kind + "?")
        : null;
}
