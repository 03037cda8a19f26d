namespace BlitQueue.Generator;

/// <summary>
/// Names of generated files. The compiler takes two that differ in letter case alone for the same one and stops, although C# takes their
/// types for two.
/// </summary>
internal static class HintNames
{
    /// <summary>Of a union's packer: no identifier holds a hyphen, so no message's file can have the name.</summary>
    public const string UnionSuffix = "-union" + Suffix;

    private const string Suffix = ".g.cs";

    /// <summary>The name of the file for a union's packer.</summary>
    public static string OfUnion(string name) => name.Substring(0, name.Length - Suffix.Length) + UnionSuffix;

    /// <summary>The names that are no longer unique when letter case does not count, but for the first of each; in order.</summary>
    public static EquatableArray<string> Clashing(ImmutableArray<string> names)
    {
        HashSet<string> taken = new(StringComparer.OrdinalIgnoreCase);
        if (names.All(name => taken.Add(name)))
        {
            return EquatableArray<string>.Empty;
        }

        taken.Clear();
        return new EquatableArray<string>(names.OrderBy(name => name, StringComparer.Ordinal).Where(name => !taken.Add(name)));
    }

    /// <summary>The name itself, or with a number that no identifier begins with: <c>Shop.order.2.g.cs</c>.</summary>
    public static string Unique(string name, EquatableArray<string> clashing)
    {
        int number = 1;
        foreach (string other in clashing)
        {
            if (string.Equals(other, name, StringComparison.OrdinalIgnoreCase))
            {
                number++;
            }

            if (other == name)
            {
                return name.Substring(0, name.Length - Suffix.Length) + "." + number + Suffix;
            }
        }

        return name;
    }
}
