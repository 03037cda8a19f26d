namespace BlitQueue.Generator.Parse;

/// <summary>Compiled types of other assemblies: the reader of a diagnostic cannot change them in this project.</summary>
internal static class Foreign
{
    // Looks at the definition, because Roslyn gives the syntax of a tuple in the source as the tuple type's declaration.
    public static bool Is(ITypeSymbol type) => type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty;

    /// <summary>Why the type cannot be packed, and what the user can do about a member of this type.</summary>
    public static string Reason(ITypeSymbol type)
        => $"{TypeNames.Text(type)} is another assembly's, and no kind that is known; "
            + "leave the member out with [PackIgnore], or name a packer for it with [PackWith] or [assembly: PackWith]";
}
