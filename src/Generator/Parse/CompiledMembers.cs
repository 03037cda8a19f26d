using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace BlitQueue.Generator.Parse;

/// <summary>Reads from metadata what the compiler does not show of a compiled class's members.</summary>
internal static class CompiledMembers
{
    /// <summary>
    /// The members that other assemblies cannot access: those marked [PackInclude], and properties with one public accessor.
    /// </summary>
    public static IEnumerable<string> OutOfReach(INamedTypeSymbol type)
    {
        if (type.MetadataToken == 0 || type.ContainingModule?.GetMetadata() is not { } module)
        {
            yield break;
        }

        MetadataReader metadata = module.GetMetadataReader();
        TypeDefinition definition = metadata.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(type.MetadataToken));
        foreach (FieldDefinition field in definition.GetFields().Select(metadata.GetFieldDefinition))
        {
            if (IsOut((int)(field.Attributes & FieldAttributes.FieldAccessMask)) && IsIncluded(field.GetCustomAttributes(), metadata))
            {
                yield return metadata.GetString(field.Name);
            }
        }

        foreach (PropertyDefinition property in definition.GetProperties().Select(metadata.GetPropertyDefinition))
        {
            if (IsOut(property, metadata))
            {
                yield return metadata.GetString(property.Name);
            }
        }
    }

    private static bool IsOut(PropertyDefinition property, MetadataReader metadata)
    {
        PropertyAccessors accessors = property.GetAccessors();
        List<MethodAttributes> methods =
        [
            .. new[] { accessors.Getter, accessors.Setter }.Where(method => !method.IsNil)
            .Select(method => metadata.GetMethodDefinition(method).Attributes),
        ];
        return methods.Exists(IsOut)
            && !methods.Exists(method => (method & MethodAttributes.Static) != 0)
            && (methods.Exists(method => (method & MethodAttributes.MemberAccessMask) == MethodAttributes.Public)
                || IsIncluded(property.GetCustomAttributes(), metadata));
    }

    private static bool IsOut(MethodAttributes method) => IsOut((int)(method & MethodAttributes.MemberAccessMask));

    // Private, internal, or private protected; fields and methods have the same numbers for these.
    private static bool IsOut(int access)
        => access is (int)FieldAttributes.Private or (int)FieldAttributes.Assembly or (int)FieldAttributes.FamANDAssem;

    private static bool IsIncluded(CustomAttributeHandleCollection attributes, MetadataReader metadata)
        => attributes.Any(handle => metadata.GetCustomAttribute(handle).Constructor is { Kind: HandleKind.MemberReference } constructor
            && metadata.GetMemberReference((MemberReferenceHandle)constructor).Parent is { Kind: HandleKind.TypeReference } parent
            && metadata.GetTypeReference((TypeReferenceHandle)parent) is var name
            && metadata.StringComparer.Equals(name.Namespace, "BlitQueue")
            && metadata.StringComparer.Equals(name.Name, "PackIncludeAttribute"));
}
