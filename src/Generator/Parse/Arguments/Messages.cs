namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>Says which types are messages, without parsing them.</summary>
internal static class Messages
{
    public static bool Is(INamedTypeSymbol type)
        => KnownTypes.Has(type.OriginalDefinition, KnownTypes.QueueMessage) || KnownTypes.ImplementsPackable(type);

    /// <summary>Whether the type implements IPackable once the generator has run; also true if the generated members only throw.</summary>
    public static bool IsPackable(INamedTypeSymbol type)
        => KnownTypes.ImplementsPackable(type)
        || (KnownTypes.Has(type.OriginalDefinition, KnownTypes.QueueMessage) && HeaderParser.CanContainCode(type.OriginalDefinition));
}
