namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>The elements of an inline array, packed as those of any array are.</summary>
internal sealed class InlineCode : HelperCode
{
    public override string Pack(WireType type, string source, EmitContext context)
        => $"{context.PackHelper(type)}(ref writer, in {source});";

    public override string Schema(WireType type, List<WireType> nested)
        => $"list<{KindCodes.For(type.Element!).Schema(type.Element!, nested)}>";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        WireType element = type.Element!;
        writer.Open($"private static void {name}(ref {Names.Writer} writer, scoped in {type.Name} values)");
        writer.Line($"{Names.ReadOnlySpan}<{type.ElementName}> items = values;");
        switch (element.Kind)
        {
            case WireKind.Value:
                writer.Line($"writer.WriteSpan<{element.Name}>(items);");
                break;
            case WireKind.NullableValue:
                writer.Line($"writer.WriteNullableSpan<{element.Element!.Name}>(items);");
                break;
            case WireKind.Argument:
                writer.Line($"{ArgumentCode.Packer(element, context)}.PackSpan(ref writer, items);");
                break;
            default:
                Elements.WriteItems(element, writer, context);
                break;
        }

        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        WireType element = type.Element!;
        writer.Open($"private static {type.Name} {name}(ref {Names.Reader} reader, {type.Name} values)");
        Elements.WriteBegin(Elements.RefuseNull(type), writer);
        writer.Line($"{Names.Span}<{type.ElementName}> items = values;");
        writer.Line($"var count = {Elements.Count(element, growth: 1, context)};");
        writer.Line("if (count > items.Length)");
        writer.Inner($"{Names.PackException}.ThrowTooMany(in reader, count, items.Length);");
        writer.Line();
        if (element.IsFilled)
        {
            WriteUnshared(element, writer, context);
        }
        else
        {
            writer.Line("for (var i = 0; i < count; i++)").Inner($"items[i] = {Elements.Unpack(element, "items[i]", context)};");
        }

        writer.Line("items.Slice(count).Clear();");
        writer.Line("reader.EndWholeVariable(scope);");
        writer.Line("return values;");
        writer.Close();
    }

    private static void WriteUnshared(WireType element, SourceWriter writer, EmitContext context)
    {
        writer.Line("object? before = null;");
        writer.Open("for (var i = 0; i < count; i++)");
        writer.Line("var given = items[i];");
        writer.Line($"items[i] = {Elements.Unpack(element, $"{Shared.Same("given", "before")} ? null : given", context)};");
        writer.Line("before = given;");
        writer.Close();
        writer.Line();
    }
}
