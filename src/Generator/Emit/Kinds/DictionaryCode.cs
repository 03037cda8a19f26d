namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A dictionary: a count, then each entry's key and value.</summary>
internal sealed class DictionaryCode : HelperCode
{
    private const string Filling = "global::BlitQueue.Generated.DictionaryPopulator";
    private const string OtherFilling = "global::BlitQueue.Generated.EntryPopulator";

    public override string Schema(WireType type, List<WireType> nested)
        => $"map<{KindCodes.For(Key(type)).Schema(Key(type), nested)},{KindCodes.For(Value(type)).Schema(Value(type), nested)}>";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        Elements.OpenPackHelper(type, name, writer);
        if (Containers.Find(type.Container) is { IsOpen: true, Build: "" })
        {
            writer.Open($"if (values is {type.Via!.Name} dictionary)");
            writer.Line(Pack(type.Via, "dictionary", context));
            writer.Line("return;");
            writer.Close();
            writer.Line();
        }

        writer.Line("var mark = writer.BeginSequence();");
        writer.Line("var count = 0;");
        writer.Open(
            $"foreach (var entry in {(type.IsOwn ? $"(global::System.Collections.Generic.IEnumerable<{Entry(type)}>)" : "")}values)");
        writer.Line(Elements.Pack(Key(type), "entry.Key", context));
        writer.Line(Elements.Pack(Value(type), "entry.Value", context));
        writer.Line("count++;");
        writer.Close();
        writer.Line();
        if (Elements.CountMemory(Entry(type), "count", Elements.GrowthOf(type), Key(type), Value(type)) is { } memory)
        {
            writer.Line(memory);
        }

        writer.Line("writer.EndSequence(mark, count);");
        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        Container container = Containers.Find(type.Container)!;
        writer.Open($"private static {type.Name}? {name}(ref {Names.Reader} reader, {type.Name}? values)");
        if (container.Build.Length > 0)
        {
            writer.Line($"var items = {Unpack(type.Via!, "null", context)};");
            writer.Line("if (items is not null)").Inner($"reader.CountCopy<{Entry(type)}>(items.Count);");
            writer.Line($"return items is null ? null : {container.Build.Replace("{T}", type.ElementName).Replace("{C}", type.Name)};");
        }
        else if (container.Source == ContainerSource.Dictionary)
        {
            writer.Line($"return {Unpack(type.Via!, $"values as {type.Via!.Name}", context)};");
        }
        else
        {
            WriteFill(type, container, writer, context);
        }

        writer.Close();
    }

    private static void WriteFill(WireType type, Container container, SourceWriter writer, EmitContext context)
    {
        bool isDictionary = container.HasCapacity;
        Elements.WriteBegin("return null;", writer);
        writer.Line(
            $"var count = reader.ReadCount<{Entry(type)}>({Elements.MinimumSize(context, Key(type), Value(type))}"
                + $"{Elements.Growth(Elements.GrowthOf(type))});");
        if (type.IsOwn)
        {
            writer.Line($"if (values is not global::System.Collections.Generic.IDictionary<{type.ElementName}> {{ IsReadOnly: false }})")
                .Inner($"values = {ComparerCode.Emptied(type, $"new {type.Name}({(type.TakesCapacity ? "count" : "")})")};");
        }
        else
        {
            writer.Line($"values ??= new {type.Name}({(isDictionary ? "count" : "")});");
        }

        writer.Line($"var filling = new {(isDictionary ? Filling : OtherFilling)}<{type.ElementName}>(values);");
        writer.Open("for (var i = 0; i < count; i++)");
        writer.Line($"var key = {Elements.Unpack(Key(type), KeyReuse(Key(type), isDictionary), context)};");
        writer.Line("filling.Find(in reader, key);");
        writer.Line($"filling.Set(in reader, key, {Elements.Unpack(Value(type), "filling.Value", context)});");
        writer.Close();
        writer.Line();
        if (isDictionary)
        {
            writer.Line("filling.Complete();");
        }

        writer.Line("reader.EndWholeVariable(scope);");
        writer.Line("return values;");
    }

    // A mutable key must not be filled while it is in the dictionary.
    private static string KeyReuse(WireType key, bool isDictionary)
        => key.Kind == WireKind.String && isDictionary ? "filling.NextKey" : key.Nothing;

    private static string Entry(WireType type) => $"global::System.Collections.Generic.KeyValuePair<{type.ElementName}>";

    private static WireType Key(WireType type) => type.Parts[0];

    private static WireType Value(WireType type) => type.Parts[1];
}
