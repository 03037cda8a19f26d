namespace BlitQueue.Generator.Parse;

/// <summary>Inline arrays: structs with one field that .NET repeats.</summary>
internal static class InlineArrays
{
    /// <summary>How many elements the type has; 0 for one that is no inline array.</summary>
    public static int LengthOf(INamedTypeSymbol type)
        => KnownTypes.Find(type.OriginalDefinition, KnownTypes.InlineArray)?.ConstructorArguments is [{ Value: int length }] ? length : 0;

    /// <summary>The kind of the member that stands for all elements.</summary>
    public static WireType Of(INamedTypeSymbol type, ITypeSymbol item, WireType element) => new()
    {
        Kind = WireKind.Inline,
        Name = TypeNames.Code(type),
        Word = $"InlineOf{Kinds.Sequences.ItemWord(item, element)}",
        Element = element,
        ElementName = Kinds.Sequences.ItemName(item),
        Length = LengthOf(type),
    };
}
