namespace BlitQueue.Generator.Parse;

/// <summary>
/// Proves from symbols that a struct may be copied as it lies in memory: its layout is fixed, no byte of it is padding, and every
/// bit pattern of it is a valid value. What is not proven is refused.
/// </summary>
internal sealed record BlitProof
{
    // Structs of .NET that are meant to be copied and whose fields lie in the order of their declaration.
    private static readonly string[] FrameworkStructs =
    [
        KnownTypes.Vector2,
        KnownTypes.Vector3,
        KnownTypes.Vector4,
        KnownTypes.Quaternion,
        KnownTypes.Plane,
        KnownTypes.Matrix3x2,
        KnownTypes.Matrix4x4,
    ];

    public int Size { get; private init; }

    public int Alignment { get; private init; }

    /// <summary>Why the struct cannot be copied, and what to do; null if the proof succeeds.</summary>
    public string? Fault { get; private init; }

    public static BlitProof Of(INamedTypeSymbol type)
    {
        if (IsOfFramework(type) && !FrameworkStructs.Any(name => KnownTypes.Is(type, name)))
        {
            return Faulty($"the framework does not promise how it lies in memory{Advice(type)}");
        }

        if (Ignored(type) is { } ignored)
        {
            return Faulty($"its [{ignored}] would be ignored, as it counts in messages only; mark the struct [QueueMessage]");
        }

        var layout = StructLayout.Of(type);
        if (layout.IsAuto)
        {
            return Faulty($"its layout is left to the runtime{Advice(type)}");
        }

        var fields = type.GetMembers().OfType<IFieldSymbol>().Where(field => !field.IsStatic).ToList();
        if (fields.Count == 0)
        {
            return Faulty("it has no fields");
        }

        return layout.IsExplicit ? Explicit(type, layout, fields) : Sequential(type, layout, fields);
    }

    /// <summary>The fault of a type whose size depends on the platform; null for any other type.</summary>
    public static string? PlatformSized(ITypeSymbol type)
    {
        bool isPlatformSized = type.SpecialType is SpecialType.System_IntPtr or SpecialType.System_UIntPtr
            || type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer
            || KnownTypes.Is(type.OriginalDefinition, KnownTypes.Vector)
            || KnownTypes.Is(type, KnownTypes.GCHandle);
        return isPlatformSized ? $"{TypeNames.Text(type)} has a size that depends on the platform" : null;
    }

    // The reference assemblies of .NET do not show all fields and layouts: for example, tuples have automatic layout, which they do not
    // show.
    private static bool IsOfFramework(INamedTypeSymbol type)
    {
        if (!IsCompiled(type))
        {
            return false;
        }

        INamespaceSymbol space = type.ContainingNamespace;
        while (space is { IsGlobalNamespace: false, ContainingNamespace.IsGlobalNamespace: false })
        {
            space = space.ContainingNamespace;
        }

        return space?.Name == "System";
    }

    // Looks at the definition, because Roslyn gives the syntax of a tuple in the source as the tuple type's declaration.
    private static bool IsCompiled(ISymbol symbol) => symbol.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty;

    private static BlitProof Sequential(INamedTypeSymbol type, StructLayout layout, List<IFieldSymbol> fields)
    {
        int offset = 0;
        int alignment = 1;
        foreach (IFieldSymbol field in fields)
        {
            BlitProof part = OfField(field);
            if (part.Fault is not null)
            {
                return part;
            }

            int aligned = Math.Min(part.Alignment, layout.Pack);
            if (offset % aligned != 0)
            {
                return Faulty($"{aligned - (offset % aligned)} bytes of padding lie in front of the field '{Name(field)}'{Advice(type)}");
            }

            alignment = Math.Max(alignment, aligned);
            offset += part.Size;
        }

        if (offset % alignment != 0)
        {
            string last = Name(fields[fields.Count - 1]);
            return Faulty($"{alignment - (offset % alignment)} bytes of padding follow its last field '{last}'{Advice(type)}");
        }

        return Sized(type, layout, (long)offset * layout.Repeats, alignment);
    }

    private static BlitProof Explicit(INamedTypeSymbol type, StructLayout layout, List<IFieldSymbol> fields)
    {
        int end = 0;
        int alignment = 1;
        foreach ((IFieldSymbol? field, int offset) in fields.Select(field => (field, layout.OffsetOf(field))).OrderBy(pair => pair.Item2))
        {
            BlitProof part = OfField(field);
            if (part.Fault is not null)
            {
                return part;
            }

            if (offset < end)
            {
                return Faulty($"the field '{Name(field)}' overlaps another one{Advice(type)}");
            }

            if (offset > end)
            {
                return Faulty($"{offset - end} bytes of padding lie in front of the field '{Name(field)}'{Advice(type)}");
            }

            alignment = Math.Max(alignment, Math.Min(part.Alignment, layout.Pack));
            end += part.Size;
        }

        return end % alignment == 0 ? Sized(type, layout, end, alignment) : Faulty($"padding follows its last field{Advice(type)}");
    }

    private static BlitProof Sized(INamedTypeSymbol type, StructLayout layout, long size, int alignment)
        => layout.Size > size ? Faulty($"its StructLayout asks for {layout.Size} bytes, of which its fields fill {size}{Advice(type)}")
        : size > Limits.MaxPart ? Faulty($"it has {size} bytes, and {Limits.MaxPart} is the most")
        : new BlitProof { Size = (int)size, Alignment = alignment };

    private static BlitProof OfField(IFieldSymbol field)
    {
        if (field.IsFixedSizeBuffer)
        {
            return Faulty($"its field '{Name(field)}' is a fixed-size buffer; use an [InlineArray] struct");
        }

        if (PlatformSized(field.Type) is { } platform)
        {
            return Faulty($"its field '{Name(field)}' is in the way, as {platform}; use a type of fixed size");
        }

        // A reference assembly has such a field instead of the fields that it does not show.
        if (IsCompiled(field) && field.Name.StartsWith("_dummy", StringComparison.Ordinal))
        {
            return Faulty($"the fields of {TypeNames.Text(field.ContainingType)} are not known to the compiler; use a struct of your own");
        }

        ITypeSymbol type = field.Type is INamedTypeSymbol { EnumUnderlyingType: { } underlying } ? underlying : field.Type;
        if (KnownValues.Find(type) is { } known)
        {
            return known.Alignment > 0
                ? new BlitProof { Size = known.Size, Alignment = known.Alignment }
                : Faulty($"its field '{Name(field)}' is a {TypeNames.Text(type)}, {Objection(known)}{CheckAdvice(field.ContainingType)}");
        }

        return type is INamedTypeSymbol { TypeKind: TypeKind.Struct } nested
            ? Of(nested)
            : Faulty($"its field '{Name(field)}' is a {TypeNames.Text(type)}");
    }

    private static string? Ignored(INamedTypeSymbol type)
    {
        foreach (ISymbol member in type.GetMembers())
        {
            if (KnownTypes.Controls.FirstOrDefault(attribute => KnownTypes.Has(member, attribute)) is { } found)
            {
                return KnownTypes.Short(found);
            }
        }

        return null;
    }

    // For the backing field of an auto property: the property's name.
    private static string Name(IFieldSymbol field) => field.AssociatedSymbol?.Name ?? field.Name;

    private static string Advice(INamedTypeSymbol type)
        => IsCompiled(type)
            ? "; use a struct of your own, marked [QueueMessage]"
            : "; mark the struct [QueueMessage], or order its fields so that there is none";

    private static string Objection(KnownValue value)
        => value.Schema is "i128" or "u128" ? "which not every runtime aligns alike" : "which must be checked when read";

    private static string CheckAdvice(INamedTypeSymbol type)
        => IsCompiled(type) ? Advice(type) : "; mark the struct [QueueMessage]";

    private static BlitProof Faulty(string fault) => new() { Fault = fault };
}
