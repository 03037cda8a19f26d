namespace BlitQueue.Generator;

/// <summary>
/// One of the framework's collections: how its elements are gone through and how it is made. In code, {T} stands for the element's
/// type and {C} for the collection's.
/// </summary>
/// <param name="Type">The metadata name.</param>
internal sealed record Container(string Type)
{
    /// <summary>
    /// Of a collection whose element is not its type argument: the property that enumerates the
    /// elements, or nothing where it does so itself.
    /// </summary>
    public string? EnumeratedBy { get; init; }

    /// <summary>Which type argument must have an order of its own; -1 for none.</summary>
    public int SortedBy { get; init; } = -1;

    /// <summary>What to loop over.</summary>
    public string Items { get; init; } = "values";

    /// <summary>That is a span: elements of fixed size are copied as a whole.</summary>
    public bool IsSpan { get; init; }

    /// <summary>The condition that there is nothing, not even emptiness; empty where that cannot be.</summary>
    public string IsNull { get; init; } = "values is null";

    /// <summary>A struct whose default is packed as null.</summary>
    public bool NullAsDefault { get; init; }

    /// <summary>The statement that adds <c>item</c> to <c>values</c>: it is emptied and filled again.</summary>
    public string Add { get; init; } = "";

    /// <summary>The condition that the given one can be filled again.</summary>
    public string CanFill { get; init; } = "values is not null";

    /// <summary>The statement that empties it.</summary>
    public string Clear { get; init; } = "values.Clear();";

    public bool HasCapacity { get; init; }

    /// <summary>It has a comparer, which is not packed: a new message's takes over the one that construction chose.</summary>
    public bool HasComparer { get; init; }

    /// <summary>
    /// How many times its elements' size it may have allocated when the last one is in it: what has no capacity doubles again and again,
    /// and so does the copy that takes over a comparer.
    /// </summary>
    public int Growth => HasCapacity && !HasComparer ? 2 : 4;

    /// <summary>It is made of a copy of what was read.</summary>
    public bool IsCopied => Build.Length > 0 && !IsSpan;

    /// <summary>The expression that makes it of <c>items</c>.</summary>
    public string Build { get; init; } = "";

    /// <summary>What <c>items</c> is, and what an interface is read as.</summary>
    public ContainerSource Source { get; init; }

    /// <summary>The user may have written what enumerates it.</summary>
    public bool IsOpen { get; init; }
}
