namespace BlitQueue.Generator.Parse;

/// <summary>
/// Packed members that messages of other assemblies cannot reach. The compiler shows those neither what is private nor, mostly, that it is
/// there: so an assembly says it of its classes, by an attribute, and it is asked for here.
/// </summary>
internal static class OutOfReach
{
    /// <summary>What an assembly says of these members of its own.</summary>
    public static IEnumerable<OutOfReachModel> Of(IEnumerable<ISymbol> members)
        => from member in members
           where IsOut(member) && CanBeDerivedFrom(member.ContainingType)
           group member.Name by member.ContainingType.OriginalDefinition.GetDocumentationCommentId() into names
           select new OutOfReachModel(names.Key, new EquatableArray<string>(names.Distinct()));

    /// <summary>What is known of a compiled class's members, whether they can be reached or not.</summary>
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
    /// Whether a compiled property may keep a value that only its own class can read: of that, too,
    /// what one compiles against shows nothing.
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

        // To its friends an assembly shows what is internal, but not what is private in it.
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
