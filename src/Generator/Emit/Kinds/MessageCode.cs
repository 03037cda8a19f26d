namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>
/// A class that is a message. The code calls it by its name: through a type parameter, classes share code that is slower.
/// </summary>
internal sealed class MessageCode : HelperCode
{
    public override string Pack(WireType type, string source, EmitContext context)
        => type.IsDirect ? base.Pack(type, source, context) : $"writer.WriteMessage<{type.Name}>({source});";

    public override string Schema(WireType type, List<WireType> nested) => Nested.Add(type, nested);

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {type.Name}? message)");
        Elements.WriteNullGuard("message is null", writer);
        Elements.WriteVariable($"{type.Target}.Pack(ref writer, in message);", writer);
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {type.Name}? {name}(ref {Names.Reader} reader, {type.Name}? message)");
        if (type.IsDirect)
        {
            Elements.WriteWhole(writer, $"{type.Target}.Unpack(ref reader, ref message);");
        }
        else
        {
            writer.Line($"reader.ReadMessage<{type.Name}>(ref message);");
        }

        writer.Line("return message;");
        writer.Close();
    }
}
