namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>List&lt;T&gt;.</summary>
internal static class ListKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol list || !KnownTypes.Is(list.OriginalDefinition, KnownTypes.List))
        {
            return null;
        }

        ITypeSymbol item = list.TypeArguments[0];
        return WireKinds.Classify(item, rejection) is { } element ? Sequences.Of(WireKind.List, type, item, element) : null;
    }
}
