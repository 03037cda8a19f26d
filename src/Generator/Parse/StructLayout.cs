using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace BlitQueue.Generator.Parse;

/// <summary>The layout of a struct in memory: from its attributes, or from the metadata of a compiled struct.</summary>
internal sealed record StructLayout
{
    private const int ExplicitKind = 2;
    private const int AutoKind = 3;

    // .NET aligns no field to more than the field's size, and none of the kinds that are allowed here to more than 8 bytes.
    private const int DefaultPack = 8;

    private MetadataReader? _metadata;

    public bool IsAuto { get; private init; }

    public bool IsExplicit { get; private init; }

    public int Pack { get; private init; } = DefaultPack;

    /// <summary>The size in [StructLayout], bytes; 0 if the fields decide.</summary>
    public int Size { get; private init; }

    /// <summary>How often the only field is repeated: 1, except in an inline array.</summary>
    public int Repeats { get; private init; } = 1;

    public static StructLayout Of(INamedTypeSymbol type)
    {
        INamedTypeSymbol definition = type.OriginalDefinition;
        StructLayout layout = definition.DeclaringSyntaxReferences.IsEmpty ? Compiled(definition) : Declared(definition);
        return InlineArrays.LengthOf(definition) is var repeats and > 0 ? layout with { Repeats = repeats } : layout;
    }

    /// <summary>The offset of a field in a struct with explicit layout, bytes.</summary>
    public int OffsetOf(IFieldSymbol field)
    {
        IFieldSymbol definition = field.OriginalDefinition;
        if (_metadata is not null)
        {
            return _metadata.GetFieldDefinition((FieldDefinitionHandle)MetadataTokens.EntityHandle(definition.MetadataToken)).GetOffset();
        }

        return KnownTypes.Find(definition, KnownTypes.FieldOffset)?.ConstructorArguments is [{ Value: int offset }] ? offset : 0;
    }

    private static StructLayout Declared(INamedTypeSymbol type)
    {
        if (KnownTypes.Find(type, KnownTypes.StructLayout) is not { ConstructorArguments: [{ Value: { } kind }, ..] } attribute)
        {
            return new StructLayout();
        }

        int number = Convert.ToInt32(kind, System.Globalization.CultureInfo.InvariantCulture);
        int pack = NamedArgument(attribute, "Pack");
        return new StructLayout
        {
            IsAuto = number == AutoKind,
            IsExplicit = number == ExplicitKind,
            Pack = pack == 0 ? DefaultPack : pack,
            Size = NamedArgument(attribute, "Size"),
        };
    }

    private static StructLayout Compiled(INamedTypeSymbol type)
    {
        if (type.ContainingModule?.GetMetadata() is not { } module)
        {
            return new StructLayout { IsAuto = true };
        }

        MetadataReader metadata = module.GetMetadataReader();
        TypeDefinition definition = metadata.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(type.MetadataToken));
        TypeLayout layout = definition.GetLayout();
        TypeAttributes kind = definition.Attributes & TypeAttributes.LayoutMask;
        return new StructLayout
        {
            IsAuto = kind == TypeAttributes.AutoLayout,
            IsExplicit = kind == TypeAttributes.ExplicitLayout,
            Pack = layout.PackingSize == 0 ? DefaultPack : layout.PackingSize,
            Size = layout.Size,
            _metadata = metadata,
        };
    }

    private static int NamedArgument(AttributeData attribute, string name)
    {
        foreach (KeyValuePair<string, TypedConstant> argument in attribute.NamedArguments)
        {
            if (argument.Key == name && argument.Value.Value is int value)
            {
                return value;
            }
        }

        return 0;
    }
}
