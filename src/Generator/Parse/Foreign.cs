namespace BlitQueue.Generator.Parse;

/// <summary>Types that are compiled already: nobody who reads a diagnostic of this project can change them here.</summary>
internal static class Foreign
{
    // Asked of the definition: the syntax of a tuple counts as the declaration of that tuple.
    public static bool Is(ITypeSymbol type) => type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty;

    /// <summary>Why it cannot be packed, and what can be done about it where it is a member.</summary>
    public static string Reason(ITypeSymbol type)
        => $"{TypeNames.Text(type)} is another assembly's, and no kind that is known; "
            + "leave the member out with [PackIgnore], or name a packer for it with [PackWith] or [assembly: PackWith]";
}
