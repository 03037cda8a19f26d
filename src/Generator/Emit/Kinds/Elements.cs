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
        _ => KindCodes.For(type).Pack(type, source, context),
    };

    /// <summary>The expression that reads one; a null that the user's type does not allow is forgiven.</summary>
    public static string Unpack(WireType type, string reuse, EmitContext context) => type.Kind switch
    {
        WireKind.Value => $"reader.ReadValue<{type.Name}>()",
        WireKind.NullableValue => $"reader.ReadNullable<{type.Element!.Name}>()",
        _ => KindCodes.For(type).Unpack(type, reuse, context) + (type.IsStruct ? "" : "!"),
    };

    /// <summary>The fewest bytes one can have.</summary>
    public static int MinimumSize(WireType type)
        => type.IsFixed ? type.Size
        : type is { Kind: WireKind.Tuple, IsValueType: true } ? LengthSize + type.Parts.Sum(MinimumSize)
        : LengthSize;

    /// <summary>The expression that reads how many there are.</summary>
    public static string Count(WireType type)
        => type.IsFixed ? $"reader.CountElements({type.Size})"
        : MinimumSize(type) == LengthSize ? "reader.ReadCount()"
        : $"reader.ReadCount({MinimumSize(type)})";

    /// <summary>The beginning that both kinds of helper share for a reference.</summary>
    public static void WriteNullGuard(string condition, SourceWriter writer)
    {
        writer.Open($"if ({condition})");
        writer.Line("writer.WriteNull();");
        writer.Line("return;");
        writer.Close();
        writer.Line();
    }
}
