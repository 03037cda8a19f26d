namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>
/// A user's packer. It writes inside a variable, so that the members behind it are found whatever it writes. The library's packers write
/// the variable themselves.
/// </summary>
internal sealed class CustomCode : HelperCode
{
    public override string Pack(WireType type, string source, EmitContext context)
        => type.IsDirect ? $"{type.Packer}.Pack(ref writer, {source});" : base.Pack(type, source, context);

    public override string Schema(WireType type, List<WireType> nested) => type.Schema;

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {Value(type)} value)");
        Elements.WriteVariable($"{type.Packer}.Pack(ref writer, in value);", writer);
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {Value(type)} {name}(ref {Names.Reader} reader, {Value(type)} value)");
        if (!type.IsDirect)
        {
            Elements.WriteBegin("return default;", writer);
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
