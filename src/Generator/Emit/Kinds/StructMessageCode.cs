namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>
/// A struct that is a message. A call through a type parameter is as fast as a direct one: the JIT compiles generic code for each struct.
/// </summary>
internal sealed class StructMessageCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context) => $"writer.WriteMessage<{type.Name}>({source});";

    public override string Unpack(WireType type, string reuse, EmitContext context) => $"{context.UnpackHelper(type)}(ref reader, {reuse})";

    public override string Schema(WireType type, List<WireType> nested) => Nested.Add(type, nested);

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {type.Name} {name}(ref {Names.Reader} reader, {type.Name} message)");
        writer.Line($"reader.ReadMessage<{type.Name}>(ref message);");
        writer.Line("return message;");
        writer.Close();
    }
}
