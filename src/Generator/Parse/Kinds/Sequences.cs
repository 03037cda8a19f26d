namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>Makes the kinds of arrays, lists and other collections.</summary>
internal static class Sequences
{
    public static WireType Of(WireKind kind, ITypeSymbol type, ITypeSymbol item, WireType element)
    {
        // List<string?> and List<string> may both be members: their helper methods need different names.
        return new WireType
        {
            Kind = kind,
            Name = TypeNames.Code(type),
            Word = $"{kind}Of{ItemWord(item, element)}",
            Element = element,
        };
    }

    /// <summary>The kind of an array of such elements.</summary>
    public static WireType ArrayOf(ITypeSymbol item, WireType element)
    {
        // An array of int[,] is written int[][,]: the outer brackets come first, unless the element has a question mark.
        string name = ItemName(item);
        int at = item is IArrayTypeSymbol && !name.EndsWith("?", StringComparison.Ordinal) ? OuterBrackets(name) : name.Length;
        return Made(WireKind.Array, name.Insert(at, "[]"), item, element);
    }

    /// <summary>The kind of a List of such elements.</summary>
    public static WireType ListOf(ITypeSymbol item, WireType element)
        => Made(WireKind.List, $"global::System.Collections.Generic.List<{ItemName(item)}>", item, element);

    /// <summary>The kind of a HashSet of such elements.</summary>
    public static WireType SetOf(ITypeSymbol item, WireType element)
        => Made(WireKind.Collection, $"global::System.Collections.Generic.HashSet<{ItemName(item)}>", item, element, "HashSet") with
        {
            Container = "System.Collections.Generic.HashSet`1",
            ElementName = ItemName(item),
        };

    /// <summary>The element's type if the type implements IEnumerable of exactly one type; otherwise null.</summary>
    public static ITypeSymbol? EnumeratedBy(ITypeSymbol type)
    {
        var found = type.AllInterfaces.Where(IsEnumerable).ToList();
        return type is INamedTypeSymbol named && IsEnumerable(named) ? named.TypeArguments[0]
            : found is [var only] ? only.TypeArguments[0]
            : null;
    }

    public static bool IsEnumerable(INamedTypeSymbol type)
        => type.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_IEnumerable_T;

    /// <summary>The element's name in C#, with its question mark.</summary>
    public static string ItemName(ITypeSymbol item) => TypeNames.Code(item) + (IsNullableReference(item) ? "?" : "");

    /// <summary>The element's word, which says whether it can be null.</summary>
    public static string ItemWord(ITypeSymbol item, WireType element) => (IsNullableReference(item) ? "Nullable" : "") + element.Word;

    private static WireType Made(WireKind kind, string name, ITypeSymbol item, WireType element, string? word = null) => new()
    {
        Kind = kind,
        Name = name,
        Word = $"{word ?? kind.ToString()}Of{ItemWord(item, element)}",
        Element = element,
    };

    private static bool IsNullableReference(ITypeSymbol item)
        => item.IsReferenceType && item.NullableAnnotation == NullableAnnotation.Annotated;

    private static int OuterBrackets(string name)
    {
        int at = name.Length;
        while (at > 0 && name[at - 1] == ']')
        {
            at = name.LastIndexOf('[', at - 1);
        }

        return at;
    }
}
