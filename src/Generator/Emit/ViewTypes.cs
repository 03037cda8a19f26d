using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit;

/// <summary>What views each kind of variable.</summary>
internal static class ViewTypes
{
    private const string Space = "global::BlitQueue.";

    /// <summary>The view's C# name. A kind that has none of its own is viewed as bytes.</summary>
    public static string Of(WireType type) => type.Kind switch
    {
        WireKind.String => Space + "StringView",
        WireKind.Array or WireKind.List => OfSequence(type.Element!),
        WireKind.Message or WireKind.StructMessage => type.View.Length > 0 ? type.View : $"{Space}PackedView<{type.Name}>",
        WireKind.NullableMessage => Of(type.Element!),
        _ => Space + "VariableView",
    };

    private static string OfSequence(WireType element) => element.Kind switch
    {
        WireKind.Value => $"{Space}SpanView<{element.Name}>",
        WireKind.Argument => Space + "VariableView",
        WireKind.NullableValue => $"{Space}NullableSpanView<{element.Element!.Name}>",
        _ => $"{Space}ListView<{Of(element)}>",
    };
}
