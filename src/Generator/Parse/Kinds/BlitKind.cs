namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A struct that is copied as it lies in memory: <see cref="BlitProof"/> proves that this is valid.</summary>
internal static class BlitKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (BlitProof.PlatformSized(type) is { } platform)
        {
            return rejection.CannotBlit($"{platform}; use a type of fixed size");
        }

        if (type is not INamedTypeSymbol { TypeKind: TypeKind.Struct, IsRefLikeType: false } value)
        {
            return null;
        }

        string name = TypeNames.Text(value);
        if (!value.IsUnmanagedType)
        {
            return rejection.CannotPack(
                Foreign.Is(value) ? Foreign.Reason(value) : $"the struct {name} contains references; mark it [QueueMessage]");
        }

        var proof = BlitProof.Of(value);
        if (proof.Fault is { } fault)
        {
            return rejection.CannotBlit($"{name} cannot be copied as it lies in memory: {fault}");
        }

        return new WireType
        {
            Kind = WireKind.Value,
            Name = TypeNames.Code(value),
            Word = TypeNames.Word(value),
            Schema = "blit" + proof.Size.ToString(System.Globalization.CultureInfo.InvariantCulture),
            Size = proof.Size,
        };
    }
}
