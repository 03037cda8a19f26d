namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Says which instances unpacking fills again, and which it replaces by new ones.</summary>
internal static class FilledTypes
{
    private const int DeepestStruct = 8;

    /// <summary>Whether a variable of this type has, or contains, an instance that is surely filled again.</summary>
    public static bool IsFilled(ITypeSymbol type) => IsFilled(type, 0);

    /// <summary>Whether a collection's elements are such instances.</summary>
    public static bool HasFilledElements(ITypeSymbol? type) => type switch
    {
        null => false,
        IArrayTypeSymbol array => IsFilled(array.ElementType),
        _ => type.AllInterfaces.Concat(new[] { type }).OfType<INamedTypeSymbol>()
            .Any(contract => IsSequence(contract) && IsFilled(contract.TypeArguments[0])),
    };

    private static bool IsFilled(ITypeSymbol type, int depth) => type switch
    {
        ITypeParameterSymbol parameter => !parameter.HasValueTypeConstraint,
        IArrayTypeSymbol => true,
        { SpecialType: not SpecialType.None } => IsSequence(type),
        { IsValueType: true } => depth < DeepestStruct && type.TypeKind == TypeKind.Struct && HasFilledFields(type, depth + 1),
        INamedTypeSymbol named when KnownTypes.Has(named.OriginalDefinition, KnownTypes.QueueMessage) => !IsReplaced(named),
        INamedTypeSymbol { Name: "StringBuilder" } builder => Framework.Has(builder, "Text"),
        INamedTypeSymbol named => IsFilledCollection(named),
        _ => false,
    };

    private static bool HasFilledFields(ITypeSymbol type, int depth)
        => type.GetMembers().OfType<IFieldSymbol>().Any(field => !field.IsStatic && IsFilled(field.Type, depth));

    // An immutable collection is replaced.
    private static bool IsFilledCollection(INamedTypeSymbol type)
    {
        bool isOwn = !Framework.Has(type, part: null);
        return isOwn
            ? type.TypeKind == TypeKind.Class && type.AllInterfaces.Any(static contract => Framework.Has(contract, "Collections"))
            : Framework.Has(type, "Collections") && !type.Name.StartsWith("ReadOnly", StringComparison.Ordinal)
                && type.ContainingNamespace.Name is not ("Immutable" or "Frozen");
    }

    // A message with a member that only construction can set: a record, for example.
    private static bool IsReplaced(INamedTypeSymbol message)
    {
        for (INamedTypeSymbol? type = message; type is not null; type = type.BaseType)
        {
            foreach (ISymbol member in type.GetMembers())
            {
                if (!member.IsStatic && !KnownTypes.Has(member, KnownTypes.PackIgnore) && IsFixed(member, message))
                {
                    return true;
                }
            }
        }

        return false;
    }

    private static bool IsFixed(ISymbol member, INamedTypeSymbol message) => member switch
    {
        { DeclaredAccessibility: not Accessibility.Public } when !KnownTypes.Has(member, KnownTypes.PackInclude) => false,
        IPropertySymbol { SetMethod.IsInitOnly: true } => true,
        IPropertySymbol { SetMethod: null, GetMethod: not null } or IFieldSymbol { IsReadOnly: true } => IsParameter(member.Name, message),
        _ => false,
    };

    private static bool IsParameter(string name, INamedTypeSymbol message)
        => message.InstanceConstructors.SelectMany(static constructor => constructor.Parameters)
            .Any(parameter => string.Equals(parameter.Name, name.TrimStart('_'), StringComparison.OrdinalIgnoreCase));

    private static bool IsSequence(ITypeSymbol type)
        => type is INamedTypeSymbol
        {
            OriginalDefinition.SpecialType: SpecialType.System_Collections_Generic_IEnumerable_T
            or SpecialType.System_Collections_Generic_IList_T or SpecialType.System_Collections_Generic_ICollection_T
        };
}
