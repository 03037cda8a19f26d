namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>What arrays and lists have in common: one call of the runtime packs all elements of fixed size, or all strings; others are
/// packed one by one.</summary>
internal abstract class SequenceCode : HelperCode
{
    /// <summary>Array or List: the end of the runtime's method names.</summary>
    protected abstract string Suffix { get; }

    /// <summary>The expression for the elements of <c>values</c> as a span, or as a type that converts to one.</summary>
    protected abstract string Span { get; }

    /// <summary>
    /// The same for strings, as a span of nullable strings: before C# 14 the compiler warns of the difference.
    /// </summary>
    protected abstract string StringSpan { get; }

    /// <summary>The same for elements whose type is a type parameter, nullable or not.</summary>
    protected abstract string ArgumentSpan(WireType element);

    public override string Unpack(WireType type, string reuse, EmitContext context) => type.Element!.Kind switch
    {
        WireKind.Value => $"reader.Read{Suffix}<{type.Element.Name}>({reuse})",
        WireKind.NullableValue => $"reader.ReadNullable{Suffix}<{type.Element.Element!.Name}>({reuse})",
        _ => base.Unpack(type, reuse, context),
    };

    public override string Schema(WireType type, List<WireType> nested)
        => $"list<{KindCodes.For(type.Element!).Schema(type.Element!, nested)}>";

    public override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        Elements.OpenPackHelper(type, name, writer);
        if (WholeStatement(type.Element!, context) is { } whole)
        {
            writer.Line(whole);
        }
        else
        {
            WriteLoop(type.Element!, writer, context);
        }

        writer.Close();
    }

    public override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        WireType element = type.Element!;
        if (element.Kind is WireKind.String or WireKind.Argument)
        {
            WriteWholeHelper(type, name, writer, context);
            return;
        }

        string read = KindCodes.For(element).Unpack(
            element, element.IsFilled ? $"{Shared.Same("given", "before")} ? null : given" : "values[i]", context);
        writer.Open($"private static {type.Name}? {name}(ref {Names.Reader} reader, {type.Name}? values)");
        Elements.WriteBegin("return null;", writer);
        writer.Line($"var count = {Elements.Count(element, growth: 1, context)};");
        WriteResize(type, writer);
        string assignment = $"values[i] = {read}{(element.IsStruct ? "" : "!")};";
        if (element.IsFilled)
        {
            WriteUnshared(assignment, writer);
        }
        else
        {
            writer.Line("for (var i = 0; i < count; i++)").Inner(assignment);
        }

        writer.Line("reader.EndWholeVariable(scope);");
        writer.Line("return values;");
        writer.Close();
    }

    private static void WriteUnshared(string assignment, SourceWriter writer)
    {
        writer.Line("object? before = null;");
        writer.Open("for (var i = 0; i < count; i++)");
        writer.Line("var given = values[i];");
        writer.Line(assignment);
        writer.Line("before = given;");
        writer.Close();
        writer.Line();
    }

    // The runtime's result has nullable elements. This helper has the one ! that converts it to the user's type.
    private void WriteWholeHelper(WireType type, string name, SourceWriter writer, EmitContext context)
    {
        writer.Line($"private static {type.Name}? {name}(ref {Names.Reader} reader, {type.Name}? values)");
        writer.Inner(type.Element!.Kind == WireKind.String
            ? $"=> reader.ReadString{Suffix}(values!)!;"
            : $"=> {ArgumentCode.Packer(type.Element, context)}.Unpack{Suffix}(ref reader, values!)!;");
    }

    /// <summary>
    /// Writes code that gives <c>values</c> a length of <c>count</c>; the old elements stay at their indices, to be reused.
    /// </summary>
    protected abstract void WriteResize(WireType type, SourceWriter writer);

    private string? WholeStatement(WireType element, EmitContext context) => element.Kind switch
    {
        WireKind.Value => $"writer.WriteSpan<{element.Name}>({Span});",
        WireKind.NullableValue => $"writer.WriteNullableSpan<{element.Element!.Name}>({Span});",
        WireKind.String => $"writer.WriteStrings({StringSpan}{(context.Model.StringsAreUtf16 ? ", " + Names.Utf16 : "")});",
        WireKind.Argument => $"{ArgumentCode.Packer(element, context)}.PackSpan(ref writer, {ArgumentSpan(element)});",
        _ => null,
    };

    private void WriteLoop(WireType element, SourceWriter writer, EmitContext context)
    {
        writer.Line($"var items = {Span};");
        Elements.WriteItems(element, writer, context);
    }
}
