namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A type marked [QueueMessage], or one that implements IPackable of itself by hand.</summary>
internal static class MessageKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct or TypeKind.Interface } message)
        {
            return null;
        }

        bool isMarked = KnownTypes.Has(message.OriginalDefinition, KnownTypes.QueueMessage);
        bool isPackable = KnownTypes.ImplementsPackable(message);
        if (!isMarked && (!isPackable || message.TypeKind == TypeKind.Interface))
        {
            return null;
        }

        // Diagnostics of a message in this project are reported there. A compiled message that lacks IPackable was compiled without the
        // generator: that is reported here.
        if (!isPackable && message.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty)
        {
            return rejection.CannotPack($"{TypeNames.Text(message)} is marked [QueueMessage], but was compiled without the generator");
        }

        if (!isPackable && !HeaderParser.CanBeGenerated(message.OriginalDefinition))
        {
            return rejection.Silent();
        }

        return new WireType
        {
            Kind = message.IsValueType ? WireKind.StructMessage : WireKind.Message,
            Name = TypeNames.Code(message),
            Word = TypeNames.Word(message),
            View = ViewFinder.FullName(message),
            IsDirect = isPackable ? HasPublicMembers(message) : ClashFinder.IsDirect(message),
        };
    }

    // In compiled messages the members may be explicit implementations, which cannot be called by the type's name.
    private static bool HasPublicMembers(INamedTypeSymbol message)
        => IsPublic<IMethodSymbol>(message, "Pack")
        && IsPublic<IMethodSymbol>(message, "Unpack")
        && IsPublic<IPropertySymbol>(message, "Schema");

    private static bool IsPublic<TSymbol>(INamedTypeSymbol message, string name)
        where TSymbol : ISymbol
        => message.GetMembers(name)
            .OfType<TSymbol>()
            .Any(member => member is { IsStatic: true, DeclaredAccessibility: Accessibility.Public });
}
