namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>Which types are messages, asked without classifying them.</summary>
internal static class Messages
{
    public static bool Is(INamedTypeSymbol type)
        => KnownTypes.Has(type.OriginalDefinition, KnownTypes.QueueMessage) || KnownTypes.ImplementsPackable(type);

    /// <summary>Whether it implements IPackable once the generator has run, be it that it refuses to work.</summary>
    public static bool IsPackable(INamedTypeSymbol type)
        => KnownTypes.ImplementsPackable(type)
        || (KnownTypes.Has(type.OriginalDefinition, KnownTypes.QueueMessage) && HeaderParser.CanContainCode(type.OriginalDefinition));
}
