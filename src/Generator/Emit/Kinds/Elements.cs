using System.Globalization;
using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>Values one after another: those of fixed size without a length in front, the others as variables.</summary>
internal static class Elements
{
    private const int LengthSize = 4;

    public static string Pack(WireType type, string source, EmitContext context) => type.Kind switch
    {
        WireKind.Value => $"writer.WriteValue<{type.Name}>({source});",
        WireKind.NullableValue => $"writer.WriteNullable<{type.Element!.Name}>({source});",
        WireKind.Argument when !type.StandsAlone => $"{ArgumentCode.Packer(type, context)}.PackElement(ref writer, {source});",
        _ => KindCodes.For(type).Pack(type, source, context),
    };

    /// <summary>The expression that reads one; a null that the user's type does not allow is forgiven.</summary>
    public static string Unpack(WireType type, string reuse, EmitContext context) => type.Kind switch
    {
        WireKind.Value => $"reader.ReadValue<{type.Name}>()",
        WireKind.NullableValue => $"reader.ReadNullable<{type.Element!.Name}>()",
        WireKind.Argument when !type.StandsAlone => $"{ArgumentCode.Packer(type, context)}.UnpackElement(ref reader, {reuse})!",
        _ => KindCodes.For(type).Unpack(type, reuse, context) + (type.IsStruct ? "" : "!"),
    };

    /// <summary>The expression for the fewest bytes that values in a row can have.</summary>
    public static string MinimumSize(EmitContext context, params WireType[] types)
    {
        var known = types.Sum(KnownSize);
        var parts = types.SelectMany(ParametersOf).Select(type => $"{ArgumentCode.Packer(type, context)}.MinimumSize");
        return string.Join(" + ", known == 0 ? parts : parts.Prepend(known.ToString(CultureInfo.InvariantCulture)));
    }

    /// <summary>The expression that reads how many there are.</summary>
    public static string Count(WireType type, EmitContext context)
        => type.IsFixed ? $"reader.CountElements({type.Size})"
        : type.Kind == WireKind.Argument ? $"{ArgumentCode.Packer(type, context)}.ReadCount(ref reader)"
        : MinimumSize(context, type) is var size && size == "4" ? "reader.ReadCount()"
        : $"reader.ReadCount({size})";

    /// <summary>The beginning that both kinds of helper share for a reference.</summary>
    public static void WriteNullGuard(string condition, SourceWriter writer)
    {
        writer.Open($"if ({condition})");
        writer.Line("writer.WriteNull();");
        writer.Line("return;");
        writer.Close();
        writer.Line();
    }

    // What type parameters stand for is not counted.
    private static int KnownSize(WireType type)
        => type.IsFixed ? type.Size
        : IsElement(type) ? 0
        : LengthSize + (IsInline(type) ? type.Parts.Sum(KnownSize) : 0);

    private static IEnumerable<WireType> ParametersOf(WireType type)
        => IsElement(type) ? [type] : IsInline(type) ? type.Parts.SelectMany(ParametersOf) : [];

    private static bool IsElement(WireType type) => type is { Kind: WireKind.Argument, StandsAlone: false };

    // Never null, so that its parts are always there.
    private static bool IsInline(WireType type) => type is { Kind: WireKind.Tuple, IsValueType: true };
}
