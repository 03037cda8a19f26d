using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A class that is a message: called by its name, because a call through a type parameter runs shared code for classes.</summary>
internal sealed class MessageCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context)
        => type.IsDirect ? $"{context.PackHelper(type)}(ref writer, {source});" : $"writer.WriteMessage<{type.Name}>({source});";

    public override string Unpack(WireType type, string reuse, EmitContext context) => $"{context.UnpackHelper(type)}(ref reader, {reuse})";

    public override string Schema(WireType type, List<WireType> nested) => Nested.Add(type, nested);

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {type.Name}? message)");
        writer.Open("if (message is null)");
        writer.Line("writer.WriteNull();");
        writer.Line("return;");
        writer.Close();
        writer.Line();
        writer.Line("var mark = writer.BeginVariable();");
        writer.Line($"{type.Target}.Pack(ref writer, in message);");
        writer.Line("writer.EndVariable(mark);");
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {type.Name}? {name}(ref {Names.Reader} reader, {type.Name}? message)");
        if (type.IsDirect)
        {
            writer.Line("if (!reader.BeginVariable(out var scope))");
            writer.Inner("return null;");
            writer.Line();
            writer.Line($"{type.Target}.Unpack(ref reader, ref message);");
            writer.Line("reader.EndWholeVariable(scope);");
        }
        else
        {
            writer.Line($"reader.ReadMessage<{type.Name}>(ref message);");
        }

        writer.Line("return message;");
        writer.Close();
    }
}
