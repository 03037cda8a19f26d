using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>
/// A packer of the user's, kept inside a variable: whatever it does, the members behind it stay where they are. One of ours writes the
/// variable itself.
/// </summary>
internal sealed class CustomCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context)
        => type.IsDirect ? $"{type.Packer}.Pack(ref writer, {source});" : $"{context.PackHelper(type)}(ref writer, {source});";

    public override string Unpack(WireType type, string reuse, EmitContext context) => $"{context.UnpackHelper(type)}(ref reader, {reuse})";

    public override string Schema(WireType type, List<WireType> nested) => type.Schema;

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {Value(type)} value)");
        writer.Line("var mark = writer.BeginVariable();");
        writer.Line($"{type.Packer}.Pack(ref writer, in value);");
        writer.Line("writer.EndVariable(mark);");
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {Value(type)} {name}(ref {Names.Reader} reader, {Value(type)} value)");
        if (!type.IsDirect)
        {
            writer.Line("if (!reader.BeginVariable(out var scope))");
            writer.Inner("return default;");
            writer.Line();
        }

        writer.Line($"{type.Packer}.Unpack(ref reader, ref value);");
        if (!type.IsDirect)
        {
            writer.Line("reader.EndVariable(scope);");
        }

        writer.Line("return value;");
        writer.Close();
    }

    private static string Value(WireType type) => type.IsValueType ? type.Name : type.Name + "?";
}
