namespace BlitQueue.Generated;

/// <summary>
/// For generated code: names packed members of a class that code of other assemblies cannot access. Reference assemblies do not show
/// private members; with this attribute the generator can refuse a message in another assembly that derives from the class, instead of
/// packing it without these members.
/// </summary>
/// <param name="type">The class, as documentation comments name it.</param>
/// <param name="members">The members' names.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class OutOfReachAttribute(string type, params string[] members) : Attribute
{
    /// <summary>The class, as documentation comments name it.</summary>
    public string Type { get; } = type;

    /// <summary>The members' names.</summary>
    public IReadOnlyList<string> Members { get; } = members;
}
