namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>An array of several dimensions: its lengths, then its elements, the last index running fastest.</summary>
internal sealed class GridCode : HelperCode
{
    // If one length is 0, another may be two billion: loops over the lengths would run for seconds because of 12 bytes.
    private const string HasElements = "if (values.Length > 0)";

    public override string Schema(WireType type, List<WireType> nested)
        => $"grid{type.Rank}<{KindCodes.For(type.Element!).Schema(type.Element!, nested)}>";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        Elements.OpenPackHelper(type, name, writer);
        writer.Line("var mark = writer.BeginVariable();");
        for (int i = 0; i < type.Rank; i++)
        {
            writer.Line($"writer.WriteCount(values.GetLength({i}));");
        }

        if (Elements.CountMemory(type.Element!.Name, "values.Length", growth: 1, type.Element) is { } memory)
        {
            writer.Line(memory);
        }

        writer.Open(HasElements);
        writer.Line("foreach (var item in values)");
        writer.Inner(Elements.Pack(type.Element!, "item", context));
        writer.Close();
        writer.Line();
        writer.Line("writer.EndVariable(mark);");
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        var dimensions = Enumerable.Range(0, type.Rank).ToList();
        writer.Open($"private static {type.Name}? {name}(ref {Names.Reader} reader, {type.Name}? values)");
        Elements.WriteBegin("return null;", writer);
        writer.Line($"global::System.Span<int> lengths = stackalloc int[{type.Rank}];");
        writer.Line($"reader.ReadLengths<{type.Element!.Name}>(lengths, {Elements.MinimumSize(context, type.Element!)});");
        writer.Line(
            "if (values is null || "
                + $"!{Names.Reader}.IsExact(values){string.Concat(dimensions.Select(i => $" || values.GetLength({i}) != lengths[{i}]"))})");
        writer.Inner($"values = {Creation(type, string.Join(", ", dimensions.Select(i => $"lengths[{i}]")))};");
        writer.Open(HasElements);
        foreach (int i in dimensions)
        {
            writer.Open($"for (var i{i} = 0; i{i} < lengths[{i}]; i{i}++)");
        }

        string element = $"values[{string.Join(", ", dimensions.Select(i => $"i{i}"))}]";
        writer.Line($"{element} = {Elements.Unpack(type.Element!, element, context)};");
        foreach (int _ in dimensions)
        {
            writer.Close();
        }

        writer.Close();
        writer.Line();
        writer.Line("reader.EndWholeVariable(scope);");
        writer.Line("return values;");
        writer.Close();
    }

    // A grid of int[] is written as new int[2, 3][]: the outermost brackets come first.
    private static string Creation(WireType type, string lengths)
    {
        int at = type.Name.Length;
        while (at > 0 && type.Name[at - 1] == ']')
        {
            at = type.Name.LastIndexOf('[', at - 1);
        }

        return $"new {type.Name.Substring(0, at)}[{lengths}]{type.Name.Substring(at + type.Rank + 1)}";
    }
}
