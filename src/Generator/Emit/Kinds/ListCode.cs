namespace BlitQueue.Generator.Emit.Kinds;

internal sealed class ListCode : SequenceCode
{
    protected override string Suffix => "List";

    protected override string Span => $"{Names.Collections}.AsSpan(values)";

    protected override string StringSpan => $"{Names.Collections}.AsSpan<string?>(values!)";

    protected override string ArgumentSpan(WireType element) => $"{Names.Collections}.AsSpan<{element.Name}>(values!)";

    protected override void WriteResize(WireType type, SourceWriter writer)
    {
        writer.Line($"values ??= new {type.Name}(count);");
        writer.Line($"{Names.Collections}.SetCount(values, count);");
    }
}
