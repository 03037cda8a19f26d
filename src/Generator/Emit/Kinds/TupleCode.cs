namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A tuple: a variable that contains its parts, one behind another.</summary>
internal sealed class TupleCode : HelperCode
{
    private const int RestIndex = 7;

    public override string Schema(WireType type, List<WireType> nested)
        => $"tuple<{string.Join(",", type.Parts.Select(part => KindCodes.For(part).Schema(part, nested)))}>";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {Declared(type)} value)");
        if (!type.IsValueType)
        {
            Elements.WriteNullGuard("value is null", writer);
        }

        writer.Line("var mark = writer.BeginVariable();");
        for (int i = 0; i < type.Parts.Count; i++)
        {
            writer.Line(Elements.Pack(type.Parts[i], IsGroup(type) && i > 0 ? "value" : $"value.{Part(type, i)}", context));
        }

        writer.Line("writer.EndVariable(mark);");
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Open($"private static {Declared(type)} {name}(ref {Names.Reader} reader, {Declared(type)} value)");
        Elements.WriteBegin(type, writer);
        for (int i = 0; i < type.Parts.Count; i++)
        {
            writer.Line($"var item{i + 1} = {Elements.Unpack(type.Parts[i], Reuse(type, i), context)};");
        }

        writer.Line("reader.EndWholeVariable(scope);");
        if (type.Container == "Tuple" && type.Parts.Count > RestIndex)
        {
            writer.Line($"if (item{RestIndex + 1} is null)");
            writer.Inner(Elements.RefuseNull(type.Parts[RestIndex]));
        }

        // Lazy<bool> and Lazy<LazyThreadSafetyMode> also have constructors that take a setting of that type: the parameter's name selects
        // the one with the value.
        string items = type.Container == "Lazy" ? "value: item1" : string.Join(", ", type.Parts.Select((_, i) => $"item{i + 1}"));
        string maker = IsWritten(type) ? "" : IsGroup(type) ? "global::BlitQueue.Generated.Grouping.Of" : $"new {type.Name}";
        writer.Line($"return {maker}({items});");
        writer.Close();
    }

    // An immutable object may be in use elsewhere, so nothing in it is filled; only its strings, which are immutable, can be reused.
    private static string Reuse(WireType type, int index)
        => type.IsValueType ? $"value.{Part(type, index)}"
        : type.Parts[index].Kind == WireKind.String && type.Container != "Lazy" ? $"value?.{Part(type, index)}"
        : type.Parts[index].Nothing;

    private static string Part(WireType type, int index) => type.Container switch
    {
        "KeyValuePair" or "IGrouping" => index == 0 ? "Key" : "Value",
        "Lazy" => "Value",
        "Tuple" when index == RestIndex => "Rest",
        _ => $"Item{index + 1}",
    };

    private static bool IsWritten(WireType type) => type.Container == "ValueTuple" && type.Parts.Count > 1;

    // A grouping is packed as its key and itself.
    private static bool IsGroup(WireType type) => type.Container == "IGrouping";

    private static string Declared(WireType type) => type.IsValueType ? type.Name : type.Name + "?";
}
