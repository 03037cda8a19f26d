namespace BlitQueue.Generator.Emit;

/// <summary>
/// Writes code for comparers. They are not packed: the collections of a new message have those that its constructor chose.
/// </summary>
internal static class ComparerCode
{
    private const string Comparers = "global::BlitQueue.Generated.Comparers";

    /// <summary>
    /// Whether the type's instances have a comparer that can be given to another instance. A user's collection makes its own comparer.
    /// </summary>
    public static bool Has(WireType type)
        => type.Kind is WireKind.Collection or WireKind.Dictionary && !type.IsOwn
        && Containers.Find(type.Container) is { HasComparer: true };

    /// <summary>The expression for an empty collection with the comparer of another; a null literal if the type has none.</summary>
    public static string Like(WireType type, string made)
        => type.ComparerOf.Length > 0 ? OwnLike(type, made)
        : Has(type) && !IsBuilt(type) ? $"{Comparers}.Like({made})"
        : type.Nothing;

    /// <summary>The expression that gives the collection that was read the comparer of the one that the constructor made.</summary>
    public static string Adopt(WireType type, string read, string made) => Has(type) ? $"{Comparers}.Adopt({read}, {made})" : read;

    /// <summary>The same, but only for types that are built from what was read: one that is filled has the comparer already.</summary>
    public static string AdoptIfBuilt(WireType type, string read, string made) => IsBuilt(type) ? Adopt(type, read, made) : read;

    /// <summary>
    /// The expression that removes what the constructor of a user's dictionary put in: these instances may be in use elsewhere.
    /// </summary>
    public static string Emptied(WireType type, string made) => $"{Comparers}.Emptied<{type.Name}, {type.ElementName}>({made})";

    private static string OwnLike(WireType type, string made)
    {
        string like = $"new {type.Name}((({type.ComparerOf}){made}).Comparer)";
        return $"({made} is null ? null : {(type.Kind == WireKind.Dictionary ? Emptied(type, like) : like)})";
    }

    private static bool IsBuilt(WireType type) => Containers.Find(type.Container) is { Build.Length: > 0 };
}
