namespace BlitQueue.Generator;

/// <summary>
/// Names of generated files. Two types may differ in letter case alone, but two files may not: the compiler then reports the same name
/// twice, and the generator fails.
/// </summary>
internal static class HintNames
{
    /// <summary>Suffix of a union's packer: no identifier contains a hyphen, so no message's file can have the name.</summary>
    public const string UnionSuffix = "-union" + Suffix;

    private const string Suffix = ".g.cs";

    /// <summary>The name of the file for a service: an interface may be a union of messages, too.</summary>
    public static string OfService(string name) => name.Substring(0, name.Length - Suffix.Length) + "-service" + Suffix;

    /// <summary>The name of the file for a union's packer.</summary>
    public static string OfUnion(string name) => name.Substring(0, name.Length - Suffix.Length) + UnionSuffix;

    /// <summary>The names that equal an earlier one if letter case is ignored; in order.</summary>
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

    /// <summary>The name itself; or, if it clashes, with a number, with which no identifier begins: <c>Shop.order.2.g.cs</c>.</summary>
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
