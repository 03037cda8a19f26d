namespace BlitQueue.Generator.Parse;

/// <summary>
/// Packed members that messages of other assemblies cannot access. Reference assemblies mostly do not show private members: so the
/// generator lists these members in an attribute of their assembly, which is read here.
/// </summary>
internal static class OutOfReach
{
    /// <summary>The attributes' models for members of this assembly.</summary>
    public static IEnumerable<OutOfReachModel> Of(IEnumerable<ISymbol> members)
        => from member in members
           where IsOut(member) && CanBeDerivedFrom(member.ContainingType)
           group member.Name by member.ContainingType.OriginalDefinition.GetDocumentationCommentId() into names
           select new OutOfReachModel(names.Key, new EquatableArray<string>(names.Distinct()));

    /// <summary>The names of a compiled class's members that cannot be accessed: from the attribute and from the metadata.</summary>
    public static IEnumerable<string> Names(INamedTypeSymbol compiled)
    {
        INamedTypeSymbol definition = compiled.OriginalDefinition;
        string? id = definition.GetDocumentationCommentId();
        IEnumerable<string> said =
            from attribute in definition.ContainingAssembly.GetAttributes()
            where KnownTypes.Is(attribute.AttributeClass, KnownTypes.OutOfReach)
                && attribute.ConstructorArguments is [{ Value: string type }, ..]
                && type == id
            from name in attribute.ConstructorArguments[1].Values
            select name.Value as string;
        return said.Concat(CompiledMembers.OutOfReach(definition)).Distinct();
    }

    /// <summary>
    /// Whether a compiled property may store a value and have a private getter: a reference assembly does not show that either.
    /// </summary>
    public static bool MayHideGetter(IPropertySymbol property)
        => property is { GetMethod: null, SetMethod: not null, IsStatic: false, IsOverride: false, DeclaringSyntaxReferences.IsEmpty: true }
        && property.DeclaredAccessibility == Accessibility.Public
        && KnownTypes.Has(property.ContainingAssembly, KnownTypes.ReferenceAssembly)
        && !TypeNames.Qualified(property.ContainingType).StartsWith("System.", StringComparison.Ordinal);

    private static bool IsOut(ISymbol member) => member is IPropertySymbol property
        ? IsOut(property.DeclaredAccessibility) || IsOutMethod(property.GetMethod) || IsOutMethod(property.SetMethod)
        : IsOut(member.DeclaredAccessibility);

    private static bool IsOutMethod(IMethodSymbol? method) => method is not null && IsOut(method.DeclaredAccessibility);

    private static bool IsOut(Accessibility access)
        => access is Accessibility.Private or Accessibility.Internal or Accessibility.ProtectedAndInternal;

    private static bool CanBeDerivedFrom(INamedTypeSymbol type)
    {
        if (type.TypeKind != TypeKind.Class || type.IsSealed || type.IsStatic)
        {
            return false;
        }

        // InternalsVisibleTo shows internal members, but no private ones.
        for (INamedTypeSymbol? part = type; part is not null; part = part.ContainingType)
        {
            if (part.DeclaredAccessibility == Accessibility.Private)
            {
                return false;
            }
        }

        return true;
    }
}
