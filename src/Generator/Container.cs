namespace BlitQueue.Generator;

/// <summary>
/// One of the framework's collections: how generated code enumerates it and how it makes one. In the code, {T} stands for the element's
/// type and {C} for the collection's.
/// </summary>
/// <param name="Type">The metadata name.</param>
internal sealed record Container(string Type)
{
    /// <summary>
    /// For a collection whose element is not its type argument: the property that enumerates the elements; empty if the collection does so.
    /// </summary>
    public string? EnumeratedBy { get; init; }

    /// <summary>The index of the type argument that must be comparable (IComparable); -1 for none.</summary>
    public int SortedBy { get; init; } = -1;

    /// <summary>The expression that generated code loops over.</summary>
    public string Items { get; init; } = "values";

    /// <summary>Whether <see cref="Items"/> is a span: then elements of fixed size are copied all at once.</summary>
    public bool IsSpan { get; init; }

    /// <summary>The condition that the collection is null; empty for a collection that cannot be null.</summary>
    public string IsNull { get; init; } = "values is null";

    /// <summary>Whether it is a struct whose default is packed as null.</summary>
    public bool NullAsDefault { get; init; }

    /// <summary>The statement that adds <c>item</c> to <c>values</c>; empty for a collection that is not filled item by item.</summary>
    public string Add { get; init; } = "";

    /// <summary>The condition that the given collection can be cleared and filled again.</summary>
    public string CanFill { get; init; } = "values is not null";

    /// <summary>The statement that clears the collection.</summary>
    public string Clear { get; init; } = "values.Clear();";

    public bool HasCapacity { get; init; }

    /// <summary>
    /// Whether it has a comparer. Comparers are not packed: the collection of a new message takes the comparer that the constructor chose.
    /// </summary>
    public bool HasComparer { get; init; }

    /// <summary>
    /// How many times its elements' size the collection may have allocated when the last element is added: a collection that takes no
    /// capacity doubles again and again, and so does the copy that takes over a comparer.
    /// </summary>
    public int Growth => HasCapacity && !HasComparer ? 2 : 4;

    /// <summary>Whether it is made from a collection that was read before, and copies its elements.</summary>
    public bool IsCopied => Build.Length > 0 && !IsSpan;

    /// <summary>The expression that makes it from <c>items</c>.</summary>
    public string Build { get; init; } = "";

    /// <summary>The kind of collection that <c>items</c> is, and that an interface is read as.</summary>
    public ContainerSource Source { get; init; }

    /// <summary>Whether enumerating it may run code that the user wrote.</summary>
    public bool IsOpen { get; init; }
}
