namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>
/// The generic messages that generic types and methods make of their own type parameters, as a project tells those that reference it.
/// </summary>
internal static class CarriedForms
{
    /// <summary>What a referenced assembly says.</summary>
    public static IEnumerable<string> Of(IAssemblySymbol assembly) =>
        assembly.GetAttributes()
            .Where(attribute => attribute.AttributeClass is { } type && KnownTypes.Is(type, KnownTypes.CarriesMessage))
            .Select(attribute => attribute.ConstructorArguments is [{ Value: string form }] ? form : null)
            .OfType<string>();

    /// <summary>Those of all referenced assemblies that are seen from here.</summary>
    public static IEnumerable<INamedTypeSymbol> Referenced(Compilation compilation) =>
        compilation.References.SelectMany(reference => ReferencedNames.Of(reference, compilation).Carried)
            .Select(form => Read(form, compilation)).OfType<INamedTypeSymbol>();

    /// <summary>A message, in terms of the type parameters of what makes it; null where that is not seen from here.</summary>
    public static INamedTypeSymbol? Read(string form, Compilation compilation) =>
        DocumentationCommentId.GetFirstSymbolForReferenceId(form, compilation) as INamedTypeSymbol;

    /// <summary>As an attribute says it.</summary>
    public static string Write(INamedTypeSymbol form) => DocumentationCommentId.CreateReferenceId(form);

    /// <summary>The simple names of what makes it.</summary>
    public static IEnumerable<string> Carriers(INamedTypeSymbol form) => TypeTrees.OwnersOf(form).Select(static owner => owner.Name);

    /// <summary>Whether another project can name the generic type or method.</summary>
    public static bool IsForOthers(ISymbol owner) =>
        owner is not IMethodSymbol { MethodKind: MethodKind.LocalFunction }
        && owner is not INamedTypeSymbol { IsFileLocal: true }
        && owner.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal
        && (owner.ContainingType is null || IsForOthers(owner.ContainingType));
}
