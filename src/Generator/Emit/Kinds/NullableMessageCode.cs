using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A struct that is a message, or null.</summary>
internal sealed class NullableMessageCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context) => $"{context.PackHelper(type)}(ref writer, {source});";

    public override string Unpack(WireType type, string reuse, EmitContext context) => $"{context.UnpackHelper(type)}(ref reader, {reuse})";

    public override string Schema(WireType type, List<WireType> nested) => Nested.Add(type.Element!, nested) + "?";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {type.Name} message)");
        writer.Line("if (message is { } present)");
        writer.Inner($"writer.WriteMessage<{type.Element!.Name}>(in present);");
        writer.Line("else");
        writer.Inner("writer.WriteNull();");
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {type.Name} {name}(ref {Names.Reader} reader, {type.Name} message)");
        writer.Line("if (!reader.BeginVariable(out var scope))");
        writer.Inner("return null;");
        writer.Line();
        writer.Line("var present = message.GetValueOrDefault();");
        writer.Line($"{type.Element!.Name}.Unpack(ref reader, ref present);");
        writer.Line("reader.EndWholeVariable(scope);");
        writer.Line("return present;");
        writer.Close();
    }
}
