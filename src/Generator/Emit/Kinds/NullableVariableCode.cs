namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A nullable struct of variable size; the struct itself is never packed as null.</summary>
internal sealed class NullableVariableCode : HelperCode
{
    public override string Schema(WireType type, List<WireType> nested) => KindCodes.For(type.Element!).Schema(type.Element!, nested) + "?";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {type.Name} value)");
        Elements.WritePresent("value", Elements.Pack(type.Element!, "present", context), writer);
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
