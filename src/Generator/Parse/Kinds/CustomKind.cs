namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A member with [PackWith]: the packer packs the whole member, or its elements.</summary>
internal static class CustomKind
{
    // The library's packers, with their kinds in the schema.
    private static readonly Dictionary<string, string> Ready = new()
    {
        [KnownTypes.BitPackedBools] = "bits",
        [KnownTypes.InternedString] = "string",
        [KnownTypes.Utf8String] = "string",
        [KnownTypes.Utf16String] = "string",
        [KnownTypes.BrotliBytes] = "brotli<list<u8>>",
        [KnownTypes.BrotliString] = "brotli<string>",
    };

    /// <param name="type">The member's type, or that of its elements.</param>
    /// <param name="member">The member.</param>
    /// <param name="packWith">The member's first [PackWith].</param>
    /// <param name="rejection">Gets the reason if the packer cannot be used.</param>
    public static WireType? Classify(ITypeSymbol type, ISymbol member, AttributeData packWith, Rejection rejection)
    {
        if (member.GetAttributes().Count(static attribute => KnownTypes.Is(attribute.AttributeClass, KnownTypes.PackWith)) > 1)
        {
            return rejection.UnusablePacker("[PackWith] stands there more than once");
        }

        if (packWith.ConstructorArguments.Length > 1)
        {
            return rejection.UnusablePacker("[PackWith] names a type here, which is for an assembly; name the packer alone");
        }

        if (packWith.ConstructorArguments is not [{ Value: INamedTypeSymbol packer }])
        {
            return rejection.Silent();
        }

        if (packer.TypeKind == TypeKind.Error)
        {
            return rejection.Silent();
        }

        bool isUsed = false;
        rejection.Packer = part =>
        {
            if (!Packs(packer, part))
            {
                return null;
            }

            isUsed = true;
            return Of(part, packer);
        };
        WireType? classified = WireKinds.Classify(type, rejection);
        if (!isUsed)
        {
            return rejection.UnusablePacker(StrangerTo(type, packer));
        }

        return HiddenMethods(packer) is { } fault ? rejection.UnusablePacker(fault) : classified;
    }

    /// <summary>Why a packer cannot pack this type; null if it can.</summary>
    public static string? FaultOf(ITypeSymbol type, INamedTypeSymbol packer)
        => Packs(packer, type) ? HiddenMethods(packer) : StrangerTo(type, packer);

    /// <summary>The kind of a type with this packer.</summary>
    public static WireType Of(ITypeSymbol type, INamedTypeSymbol packer)
    {
        bool isUnion = UnionPackerParser.UnionOf(packer) is not null;
        string? ready = Ready.FirstOrDefault(known => KnownTypes.Is(packer, known.Key)).Value;
        return new WireType
        {
            Kind = isUnion ? WireKind.Message : WireKind.Custom,
            Name = TypeNames.Code(type),
            Word = $"{TypeNames.Word(type)}With{TypeNames.Word(packer)}",
            Schema = isUnion ? "" : ready ?? "custom",
            Packer = TypeNames.Code(packer),
            IsDirect = isUnion || ready is not null,

            // Compression may take long, as a user's code may.
            IsOpen = ready?.StartsWith("brotli", StringComparison.Ordinal) == true,
            IsValueType = type.IsValueType,
        };
    }

    // The generator does not see its own output: so a union's packer is recognized by its attribute.
    private static bool Packs(INamedTypeSymbol packer, ITypeSymbol type)
        => SymbolEqualityComparer.Default.Equals(UnionPackerParser.UnionOf(packer), type)
        || packer.AllInterfaces.Any(contract =>
            KnownTypes.Is(contract.OriginalDefinition, KnownTypes.IPacker)
            && SymbolEqualityComparer.Default.Equals(contract.TypeArguments[0], type));

    private static string StrangerTo(ITypeSymbol type, INamedTypeSymbol packer)
        => !packer.IsUnboundGenericType
            ? $"{TypeNames.Text(packer)} does not implement IPacker<{TypeNames.Text(type)}>"
        : type is INamedTypeSymbol { IsGenericType: true } && SymbolEqualityComparer.Default.Equals(type, type.OriginalDefinition)
            ? $"{TypeNames.Text(packer)} has not as many type parameters as {TypeNames.Text(type)}"
        : $"nothing stands for the type parameters of {TypeNames.Text(packer)}; write type arguments";

    private static string? HiddenMethods(INamedTypeSymbol packer)
        => UnionPackerParser.UnionOf(packer) is null && (!HasPublicMethod(packer, "Pack") || !HasPublicMethod(packer, "Unpack"))
            ? $"{TypeNames.Text(packer)} does not implement Pack and Unpack publicly"
            : null;

    private static bool HasPublicMethod(INamedTypeSymbol packer, string name)
        => packer.GetMembers(name).Any(member => member is IMethodSymbol { IsStatic: true, DeclaredAccessibility: Accessibility.Public });
}
