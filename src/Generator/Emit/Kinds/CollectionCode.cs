namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>
/// A collection of .NET or of the user. All sequences are packed the same way, so that a member's collection type can be changed later.
/// </summary>
internal sealed class CollectionCode : HelperCode
{
    public override string Schema(WireType type, List<WireType> nested)
        => $"list<{KindCodes.For(type.Element!).Schema(type.Element!, nested)}>";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        Container container = Containers.Find(type.Container)!;
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {Declared(type)} values)");
        if (container.IsNull.Length > 0 && !(type.IsOwn && type.IsValueType))
        {
            Elements.WriteNullGuard(container.IsNull, writer);
        }

        if (container == Containers.OwnList)
        {
            writer.Line(KindCodes.For(type.Via!).Pack(type.Via!, "values", context));
            writer.Close();
            return;
        }

        if (container is { IsOpen: true, Source: ContainerSource.List, Build: "" })
        {
            WriteListCase(type.Via!, writer, context);
        }

        // A user's class may hide the enumerator of its base class.
        string items = Filled(
            type.IsOwn && container.Items == "values" ? "(global::System.Collections.Generic.IEnumerable<{T}>)values" : container.Items,
            type);
        if (container.IsSpan && type.Element!.Kind == WireKind.Value)
        {
            writer.Line($"writer.WriteSpan<{type.Element.Name}>({items});");
        }
        else if (container.IsSpan && type.Element!.Kind == WireKind.NullableValue)
        {
            writer.Line($"writer.WriteNullableSpan<{type.Element.Element!.Name}>({items});");
        }
        else if (type.Element!.Kind == WireKind.Argument)
        {
            writer.Line(
                $"{ArgumentCode.Packer(type.Element, context)}.Pack{(container.IsSpan ? "Span" : "Items")}(ref writer, "
                    + $"{items}!{(container.IsSpan ? "" : Elements.Growth(Elements.GrowthOf(type)))});");
        }
        else
        {
            WriteLoop(type.Element!, items, Elements.GrowthOf(type), writer, context);
        }

        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        Container container = Containers.Find(type.Container)!;
        writer.Open($"private static {Declared(type)} {name}(ref {Names.Reader} reader, {Declared(type)} values)");
        if (container == Containers.OwnList)
        {
            WriteList(type, writer, context);
        }
        else if (container.Add.Length > 0)
        {
            WriteFill(type, container, writer, context);
        }
        else if (container.Build.Length > 0)
        {
            writer.Line($"var items = {KindCodes.For(type.Via!).Unpack(type.Via!, "null", context)};");
            if (container.IsCopied)
            {
                string count = container.Source == ContainerSource.Array ? "items.Length" : "items.Count";
                writer.Line("if (items is not null)").Inner($"reader.CountCopy<{type.ElementName}>({count});");
            }

            writer.Line(
                $"return items is null ? default{(container.Build == "items" ? $"({type.Name})" : "")} : {Filled(container.Build, type)};");
        }
        else
        {
            writer.Line($"return {KindCodes.For(type.Via!).Unpack(type.Via!, $"values as {type.Via!.Name}", context)};");
        }

        writer.Close();
    }

    // Reuses elements as for any other list.
    private static void WriteList(WireType type, SourceWriter writer, EmitContext context)
    {
        writer.Line("if (reader.TryReadNull())");
        writer.Inner("return null;");
        writer.Line();
        writer.Open("if (values is null)");
        writer.Line($"values = new {type.Name}({(type.TakesCapacity ? "0" : "")});");
        writer.Line($"(({type.Via!.Name})values).Clear();");
        writer.Close();
        writer.Line();
        writer.Line($"{KindCodes.For(type.Via!).Unpack(type.Via!, "values", context)};");
        writer.Line("return values;");
    }

    // The instance behind an interface is nearly always a list.
    private static void WriteListCase(WireType list, SourceWriter writer, EmitContext context)
    {
        writer.Open($"if (values is {list.Name} list)");
        writer.Line(KindCodes.For(list).Pack(list, "list", context));
        writer.Line("return;");
        writer.Close();
        writer.Line();
    }

    private static void WriteLoop(WireType element, string items, int growth, SourceWriter writer, EmitContext context)
    {
        if (element.IsFixed)
        {
            writer.Line("var mark = writer.BeginVariable();");
            writer.Line($"foreach (var item in {items})");
            writer.Inner(Elements.Pack(element, "item", context));
            writer.Line("writer.EndVariable(mark);");
            return;
        }

        // Counts while it enumerates: Count may be wrong if other threads change the collection, or if the user wrote its enumerator.
        writer.Line("var mark = writer.BeginSequence();");
        writer.Line("var count = 0;");
        writer.Open($"foreach (var item in {items})");
        writer.Line(Elements.Pack(element, "item", context));
        writer.Line("count++;");
        writer.Close();
        writer.Line();
        if (Elements.CountMemory(element.Name, "count", growth, element) is { } memory)
        {
            writer.Line(memory);
        }

        writer.Line("writer.EndSequence(mark, count);");
    }

    private static void WriteFill(WireType type, Container container, SourceWriter writer, EmitContext context)
    {
        Elements.WriteBegin(type, writer);
        writer.Line($"var count = {Elements.Count(type.Element!, Elements.GrowthOf(type), context)};");
        string creation = $"values = new {type.Name}({((type.IsOwn ? type.TakesCapacity : container.HasCapacity) ? "count" : "")});";
        if (container.CanFill.Length > 0)
        {
            writer.Line($"if ({Filled(container.CanFill, type)})");
            writer.Inner(Filled(container.Clear, type));
            if (type.IsOwn)
            {
                writer.Open("else");
                writer.Line(creation);
                WriteEmptied(type, container, writer);
                writer.Close();
                writer.Line();
            }
            else
            {
                writer.Line("else");
                writer.Inner(creation);
            }
        }
        else
        {
            writer.Line(creation);
        }

        writer.Open("for (var i = 0; i < count; i++)");
        writer.Line($"var item = {Elements.Unpack(type.Element!, type.Element!.Nothing, context)};");
        if (type.IsOwn)
        {
            WriteOwnAdd(type, container, writer);
        }
        else
        {
            writer.Line(container.Add);
        }

        writer.Close();
        writer.Line();
        writer.Line("reader.EndWholeVariable(scope);");
        writer.Line("return values;");
    }

    // Clears what the constructor put in: these instances may be in use elsewhere.
    private static void WriteEmptied(WireType type, Container container, SourceWriter writer)
    {
        string items = container.EnumeratedBy is null ? "(global::System.Collections.Generic.IEnumerable<{T}>)values" : container.Items;
        writer.Line($"if (global::System.Linq.Enumerable.Any({Filled(items, type)}))");
        writer.Inner(Filled(container.Clear, type));
    }

    // A user's Add may throw for elements that such a collection never contains: wrong bytes must always cause a PackException.
    private static void WriteOwnAdd(WireType type, Container container, SourceWriter writer)
    {
        writer.Open("try");
        writer.Line(container.Add);
        writer.Close();
        writer.Open($"catch (global::System.Exception refusal) when (refusal is not {Names.PackException})");
        writer.Line($"{Names.PackException}.ThrowNotTaken(in reader, typeof({type.Name}), refusal);");
        writer.Close();
    }

    private static string Declared(WireType type) => type.IsValueType ? type.Name : type.Name + "?";

    private static string Filled(string code, WireType type) => code.Replace("{T}", type.ElementName).Replace("{C}", type.Name);
}
