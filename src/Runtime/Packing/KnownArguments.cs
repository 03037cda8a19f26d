using System.Numerics;
using System.Text;

namespace BlitQueue;

/// <summary>The type arguments that need no generated code: string, and values of fixed size that the packed layout defines.</summary>
internal static class KnownArguments
{
    public static ArgumentPacker<T>? Of<T>(StringEncoding strings)
        => typeof(T) == typeof(string) ? (ArgumentPacker<T>)(object)new StringArgument(strings)
        : typeof(T).IsValueType ? OfValue<T>()
        : null;

    private static ArgumentPacker<T>? OfValue<T>()
        => Of<T, bool>("bool")
        ?? Of<T, byte>("u8")
        ?? Of<T, sbyte>("i8")
        ?? Of<T, char>("char")
        ?? Of<T, short>("i16")
        ?? Of<T, ushort>("u16")
        ?? Of<T, int>("i32")
        ?? Of<T, uint>("u32")
        ?? Of<T, long>("i64")
        ?? Of<T, ulong>("u64")
        ?? Of<T, Int128>("i128")
        ?? Of<T, UInt128>("u128")
        ?? Of<T, Half>("f16")
        ?? Of<T, float>("f32")
        ?? Of<T, double>("f64")
        ?? Of<T, decimal>("decimal")
        ?? Of<T, Guid>("guid")
        ?? Of<T, Complex>("complex")
        ?? Of<T, DateTime>("datetime")
        ?? Of<T, DateTimeOffset>("datetimeoffset")
        ?? Of<T, TimeSpan>("timespan")
        ?? Of<T, DateOnly>("date")
        ?? Of<T, TimeOnly>("time")
        ?? Of<T, Rune>("rune");

    // The comparisons are constants to the JIT: of each method at most one branch remains.
    private static ArgumentPacker<T>? Of<T, V>(string kind)
        where V : unmanaged
    {
        if (typeof(T) == typeof(V))
            return (ArgumentPacker<T>)(object)new ValueArgument<V>(kind);
        if (typeof(T) == typeof(V?))
            return (ArgumentPacker<T>)(object)new NullableValueArgument<V>(kind + "?");
        return null;
    }
}
