namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A value or a struct message that can be null.</summary>
internal static class NullableKind
{
    private const int PresenceSize = 1;

    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable)
        {
            return null;
        }

        if (WireKinds.Classify(nullable.TypeArguments[0], rejection) is not { } value)
        {
            return null;
        }

        if (value.Kind == WireKind.StructMessage && !value.IsDirect)
        {
            return rejection.CannotPack($"{TypeNames.Text(type)} has members named Pack, Unpack or Schema, which hide the generated ones");
        }

        if (Containers.Find(value.Container) is { NullAsDefault: true })
        {
            return rejection.CannotPack($"{TypeNames.Text(type)} would have two kinds of null; leave out the question mark");
        }

        bool isMessage = value.Kind == WireKind.StructMessage;
        return new WireType
        {
            Kind = value.IsFixed ? WireKind.NullableValue : isMessage ? WireKind.NullableMessage : WireKind.NullableVariable,
            Name = TypeNames.Code(type),
            Word = "Nullable" + value.Word,
            Schema = value.IsFixed ? value.Schema + "?" : "",
            Size = value.IsFixed ? PresenceSize + value.Size : 0,
            Element = value with { StandsAlone = true },
            IsValueType = true,
        };
    }
}
