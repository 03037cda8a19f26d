namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A struct that is a message, or null.</summary>
internal sealed class NullableMessageCode : HelperCode
{
    public override string Schema(WireType type, List<WireType> nested) => Nested.Add(type.Element!, nested) + "?";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {type.Name} message)");
        Elements.WritePresent("message", $"writer.WriteMessage<{type.Element!.Name}>(in present);", writer);
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {type.Name} {name}(ref {Names.Reader} reader, {type.Name} message)");
        Elements.WriteWhole(
            writer, "var present = message.GetValueOrDefault();", $"{type.Element!.Name}.Unpack(ref reader, ref present);");
        writer.Line("return present;");
        writer.Close();
    }
}
