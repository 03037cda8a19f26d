namespace BlitQueue.Generator.Emit;

/// <summary>The view type of each kind of variable.</summary>
internal static class ViewTypes
{
    private const string Space = "global::BlitQueue.Views.";

    // The most parts for which the runtime has a tuple view.
    private const int MaxParts = 7;

    /// <summary>The view's C# name. A kind without a view of its own is viewed as bytes.</summary>
    public static string Of(WireType type) => type.Kind switch
    {
        WireKind.String => Space + "StringView",
        WireKind.Custom when type is { IsDirect: true, Schema: "string" } => Space + "StringView",
        WireKind.Array or WireKind.List or WireKind.Collection or WireKind.Inline => OfSequence(type.Element!),
        WireKind.Message or WireKind.StructMessage when type.Packer.Length == 0
            => type.View.Length > 0 ? type.View : $"{Space}PackedView<{type.Name}>",
        WireKind.NullableMessage or WireKind.NullableVariable => Of(type.Element!),
        WireKind.Dictionary => $"{Space}MapView<{OfItems(type.Parts)}>",
        WireKind.Tuple when type.Container == "KeyValuePair" => $"{Space}EntryView<{OfItems(type.Parts)}>",
        WireKind.Tuple when type.Parts.Count <= MaxParts => $"{Space}TupleView<{OfItems(type.Parts)}>",
        WireKind.Grid => $"{Space}GridView<{Space}Rank{type.Rank}, {OfItem(type.Element!)}>",
        WireKind.Object => $"{Space}ObjectView<{type.Name}>",
        _ => Space + "VariableView",
    };

    private static string OfSequence(WireType element) => element.Kind switch
    {
        WireKind.Value => $"{Space}SpanView<{element.Name}>",
        WireKind.Argument => Space + "VariableView",
        WireKind.NullableValue => $"{Space}NullableSpanView<{element.Element!.Name}>",
        _ => $"{Space}ListView<{Of(element)}>",
    };

    // In maps, tuples and grids, values of fixed size have no length in front.
    private static string OfItem(WireType item) => item.Kind switch
    {
        WireKind.Value => $"{Space}ValueView<{item.Name}>",
        WireKind.NullableValue => $"{Space}NullableValueView<{item.Element!.Name}>",
        _ => Of(item),
    };

    private static string OfItems(IEnumerable<WireType> items) => string.Join(", ", items.Select(OfItem));
}
