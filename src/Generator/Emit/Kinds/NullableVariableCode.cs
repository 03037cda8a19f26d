using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A struct of variable size that is never packed as null itself.</summary>
internal sealed class NullableVariableCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context) => $"{context.PackHelper(type)}(ref writer, {source});";

    public override string Unpack(WireType type, string reuse, EmitContext context) => $"{context.UnpackHelper(type)}(ref reader, {reuse})";

    public override string Schema(WireType type, List<WireType> nested) => KindCodes.For(type.Element!).Schema(type.Element!, nested) + "?";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {type.Name} value)");
        writer.Line("if (value is { } present)");
        writer.Inner(Elements.Pack(type.Element!, "present", context));
        writer.Line("else");
        writer.Inner("writer.WriteNull();");
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {type.Name} {name}(ref {Names.Reader} reader, {type.Name} value)");
        writer.Line("if (reader.TryReadNull())");
        writer.Inner("return null;");
        writer.Line($"return {Elements.Unpack(type.Element!, "value.GetValueOrDefault()", context)};");
        writer.Close();
    }
}
