namespace BlitQueue.Generator.Emit;

/// <summary>Comparers, which are not packed: a new message's collections have those that its construction chose.</summary>
internal static class ComparerCode
{
    private const string Comparers = "global::BlitQueue.Generated.Comparers";

    /// <summary>Whether the type's instances have a comparer that another can be given. One of the user's own makes its own.</summary>
    public static bool Has(WireType type)
        => type.Kind is WireKind.Collection or WireKind.Dictionary && !type.IsOwn
        && Containers.Find(type.Container) is { HasComparer: true };

    /// <summary>The expression for an empty one with the comparer of another, or for nothing.</summary>
    public static string Like(WireType type, string made)
        => type.ComparerOf.Length > 0 ? OwnLike(type, made)
        : Has(type) && !IsBuilt(type) ? $"{Comparers}.Like({made})"
        : type.Nothing;

    /// <summary>The expression for what was read with the comparer of what construction made.</summary>
    public static string Adopt(WireType type, string read, string made) => Has(type) ? $"{Comparers}.Adopt({read}, {made})" : read;

    /// <summary>The same where what was read has it already if only it could be filled.</summary>
    public static string AdoptIfBuilt(WireType type, string read, string made) => IsBuilt(type) ? Adopt(type, read, made) : read;

    /// <summary>
    /// The expression for a dictionary of the user's own without what its constructor put in, which may be used elsewhere.
    /// </summary>
    public static string Emptied(WireType type, string made) => $"{Comparers}.Emptied<{type.Name}, {type.ElementName}>({made})";

    private static string OwnLike(WireType type, string made)
    {
        string like = $"new {type.Name}((({type.ComparerOf}){made}).Comparer)";
        return $"({made} is null ? null : {(type.Kind == WireKind.Dictionary ? Emptied(type, like) : like)})";
    }

    private static bool IsBuilt(WireType type) => Containers.Find(type.Container) is { Build.Length: > 0 };
}
