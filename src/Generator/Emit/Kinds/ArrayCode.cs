namespace BlitQueue.Generator.Emit.Kinds;

internal sealed class ArrayCode : SequenceCode
{
    protected override string Suffix => "Array";

    protected override string Span => "values";

    protected override string StringSpan => Span;

    protected override string ArgumentSpan(WireType element) => "values!";

    protected override void WriteResize(WireType type, SourceWriter writer)
        => writer.Line($"values = {Names.Reader}.Sized(values, count);");
}
