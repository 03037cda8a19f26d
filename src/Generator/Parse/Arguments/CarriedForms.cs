namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>
/// The generic messages that generic types and methods construct from their own type parameters. A project writes them into attributes, for
/// the projects that reference it.
/// </summary>
internal static class CarriedForms
{
    /// <summary>The texts in a referenced assembly's attributes.</summary>
    public static IEnumerable<string> Of(IAssemblySymbol assembly) =>
        assembly.GetAttributes()
            .Where(attribute => attribute.AttributeClass is { } type && KnownTypes.Is(type, KnownTypes.CarriesMessage))
            .Select(attribute => attribute.ConstructorArguments is [{ Value: string form }] ? form : null)
            .OfType<string>();

    /// <summary>The messages in the attributes of all referenced assemblies that this project can name.</summary>
    public static IEnumerable<INamedTypeSymbol> Referenced(Compilation compilation) =>
        compilation.References.SelectMany(reference => ReferencedNames.Of(reference, compilation).Carried)
            .Select(form => Read(form, compilation)).OfType<INamedTypeSymbol>();

    /// <summary>
    /// The message of one text, with the type parameters of the type or method that constructs it; null if this project cannot name that.
    /// </summary>
    public static INamedTypeSymbol? Read(string form, Compilation compilation) =>
        DocumentationCommentId.GetFirstSymbolForReferenceId(form, compilation) as INamedTypeSymbol;

    /// <summary>The text for the attribute.</summary>
    public static string Write(INamedTypeSymbol form) => DocumentationCommentId.CreateReferenceId(form);

    /// <summary>The simple names of the types and methods that construct the message.</summary>
    public static IEnumerable<string> Carriers(INamedTypeSymbol form) => TypeTrees.OwnersOf(form).Select(static owner => owner.Name);

    /// <summary>Whether another project can name the generic type or method.</summary>
    public static bool IsForOthers(ISymbol owner) =>
        owner is not IMethodSymbol { MethodKind: MethodKind.LocalFunction }
        && owner is not INamedTypeSymbol { IsFileLocal: true }
        && owner.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal
        && (owner.ContainingType is null || IsForOthers(owner.ContainingType));
}
