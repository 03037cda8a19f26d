namespace BlitQueue.Generator;

/// <summary>Every collection and dictionary of the framework that can be packed, except arrays and List.</summary>
internal static class Containers
{
    private const string Generic = "System.Collections.Generic.";
    private const string Concurrent = "System.Collections.Concurrent.";
    private const string Immutable = "System.Collections.Immutable.";
    private const string Frozen = "System.Collections.Frozen.";
    private const string Model = "System.Collections.ObjectModel.";

    /// <summary>Collections of one element type.</summary>
    public static readonly IReadOnlyList<Container> Collections =
    [
        Filled(Generic + "HashSet`1", "Add") with { HasCapacity = true, HasComparer = true },
        Filled(Generic + "Queue`1", "Enqueue") with { HasCapacity = true },
        Filled(Generic + "Stack`1", "Push") with { HasCapacity = true, Items = BottomFirst },
        Filled(Generic + "LinkedList`1", "AddLast"),
        Filled(Generic + "SortedSet`1", "Add") with { SortedBy = 0, HasComparer = true },

        // Packed in the order of its heap, so that unpacking makes the same heap: elements of equal priority are dequeued in the same
        // order.
        Filled(Generic + "PriorityQueue`2", "Enqueue") with
        {
            Items = "values.UnorderedItems",
            EnumeratedBy = "UnorderedItems",
            Add = "values.Enqueue(item.Item1, item.Item2);",
            HasCapacity = true,
            HasComparer = true,
            SortedBy = 1,
        },

        Filled(Concurrent + "ConcurrentQueue`1", "Enqueue"),
        Filled(Concurrent + "ConcurrentStack`1", "Push") with { Items = BottomFirst },
        Filled(Concurrent + "ConcurrentBag`1", "Add"),

        // Never filled again: a bounded one would wait for a consumer.
        Filled(Concurrent + "BlockingCollection`1", "Add") with { CanFill = "" },

        // May wrap an array, which cannot be cleared.
        Filled(Model + "Collection`1", "Add") with { CanFill = NotReadOnly, IsOpen = true },
        Filled(Model + "ObservableCollection`1", "Add") with { CanFill = NotReadOnly, IsOpen = true },

        Built(Model + "ReadOnlyCollection`1", "new {C}(items)") with { IsOpen = true },
        Built(Model + "ReadOnlyObservableCollection`1", "new {C}(new global::" + Model + "ObservableCollection<{T}>(items))") with
        {
            IsOpen = true,
        },
        Built(Model + "ReadOnlySet`1", "new {C}(items)", ContainerSource.Set) with { IsOpen = true },
        Built(Immutable + "ImmutableList`1", ImmutableOf("List")),
        Built(Immutable + "ImmutableHashSet`1", ImmutableOf("HashSet")) with { HasComparer = true },
        Built(Immutable + "ImmutableSortedSet`1", ImmutableOf("SortedSet")) with { SortedBy = 0, HasComparer = true },
        Built(Immutable + "ImmutableQueue`1", ImmutableOf("Queue")),
        Built(Immutable + "ImmutableStack`1", ImmutableOf("Stack")) with { Items = BottomFirst },
        Built(Immutable + "IImmutableList`1", ImmutableOf("List")) with { IsOpen = true },
        Built(Immutable + "IImmutableSet`1", ImmutableOf("HashSet")) with { IsOpen = true, HasComparer = true },
        Built(Immutable + "IImmutableQueue`1", ImmutableOf("Queue")) with { IsOpen = true },
        Built(Immutable + "IImmutableStack`1", ImmutableOf("Stack")) with { Items = BottomFirst, IsOpen = true },
        Built(Frozen + "FrozenSet`1", "global::" + Frozen + "FrozenSet.ToFrozenSet<{T}>(items)") with { HasComparer = true },
        Built("System.Linq.ILookup`2", "global::BlitQueue.Generated.Grouping.ToLookup(in reader, items)") with
        {
            EnumeratedBy = "",
            IsOpen = true,
        },

        Span("System.Memory`1", "values.Span", "items"),
        Span("System.ReadOnlyMemory`1", "values.Span", "items"),
        Span(
            "System.ArraySegment`1", "new global::System.ReadOnlySpan<{T}>(values.Array, values.Offset, values.Count)",
            "new {C}(items)") with
        {
            IsNull = "values.Array is null",
            NullAsDefault = true,
        },
        Span(
            "System.Buffers.ReadOnlySequence`1",
            "values.IsSingleSegment ? values.FirstSpan : global::System.Buffers.BuffersExtensions.ToArray(in values)",
            "new {C}(items)"),
        Span(
            Immutable + "ImmutableArray`1",
            "values.AsSpan()",
            "global::System.Runtime.InteropServices.ImmutableCollectionsMarshal.AsImmutableArray(items)") with
        {
            IsNull = "values.IsDefault",
            NullAsDefault = true,
        },

        Interface(Generic + "IEnumerable`1", ContainerSource.List),
        Interface(Generic + "ICollection`1", ContainerSource.List),
        Interface(Generic + "IList`1", ContainerSource.List),
        Interface(Generic + "IReadOnlyCollection`1", ContainerSource.List),
        Interface(Generic + "IReadOnlyList`1", ContainerSource.List),
        Interface(Generic + "ISet`1", ContainerSource.Set) with { HasComparer = true },
        Interface(Generic + "IReadOnlySet`1", ContainerSource.Set) with { HasComparer = true },
    ];

    /// <summary>Collections of keys and values.</summary>
    public static readonly IReadOnlyList<Container> Dictionaries =
    [
        new(Generic + "Dictionary`2") { HasCapacity = true, HasComparer = true },
        new(Generic + "SortedDictionary`2") { SortedBy = 0, HasComparer = true },
        new(Generic + "SortedList`2") { SortedBy = 0, HasComparer = true },
        new(Generic + "OrderedDictionary`2") { HasComparer = true },
        new(Concurrent + "ConcurrentDictionary`2") { HasComparer = true },
        Built(Model + "ReadOnlyDictionary`2", "new {C}(items)", ContainerSource.Dictionary) with { IsOpen = true },
        Built(Immutable + "ImmutableDictionary`2", ImmutableOf("Dictionary"), ContainerSource.Dictionary) with { HasComparer = true },

        // Keys that differ may be equal for the dictionary's comparer. Then the last one's value is used; CreateRange would throw, and so
        // would SetItems if it sees that its argument is a dictionary.
        Built(
            Immutable + "ImmutableSortedDictionary`2",
            $"global::{Immutable}ImmutableSortedDictionary<{{T}}>.Empty.SetItems(global::System.Linq.Enumerable.Skip(items, 0))",
            ContainerSource.Dictionary) with
        {
            SortedBy = 0,
            HasComparer = true,
        },
        Built(Immutable + "IImmutableDictionary`2", ImmutableOf("Dictionary"), ContainerSource.Dictionary) with
        {
            IsOpen = true,
            HasComparer = true,
        },
        Built(
            Frozen + "FrozenDictionary`2", "global::" + Frozen + "FrozenDictionary.ToFrozenDictionary<{T}>(items)",
            ContainerSource.Dictionary) with
        {
            HasComparer = true,
        },
        Interface(Generic + "IDictionary`2", ContainerSource.Dictionary) with { HasComparer = true },
        Interface(Generic + "IReadOnlyDictionary`2", ContainerSource.Dictionary) with { HasComparer = true },
    ];

    /// <summary>A user's class that derives from List and has List's Add.</summary>
    public static readonly Container OwnList = new("List of one's own") { Source = ContainerSource.List };

    /// <summary>A user's type that implements ICollection.</summary>
    public static readonly Container OwnCollection = Filled("ICollection of one's own", "Add") with
    {
        CanFill = NotReadOnly,
        Clear = "((global::System.Collections.Generic.ICollection<{T}>)values).Clear();",
    };

    /// <summary>A user's type that can be enumerated and has an Add method.</summary>
    public static readonly Container OwnSequence = Filled("IEnumerable of one's own", "Add") with { CanFill = "" };

    /// <summary>A user's class that implements IDictionary.</summary>
    public static readonly Container OwnDictionary = new("IDictionary of one's own");

    // A stack enumerates from its top, but is filled from its bottom.
    private const string BottomFirst =
        "global::System.Linq.Enumerable.Reverse<{T}>((global::System.Collections.Generic.IEnumerable<{T}>)values)";

    private const string NotReadOnly = "values is global::System.Collections.Generic.ICollection<{T}> { IsReadOnly: false }";

    private static readonly Dictionary<string, Container> Known =
        Collections.Concat(Dictionaries).Concat([OwnList, OwnCollection, OwnSequence, OwnDictionary])
            .ToDictionary(container => container.Type);

    // By simple name: for most types this one look-up shows that they are not here.
    private static readonly Dictionary<string, Container> BySimpleName =
        Collections.Concat(Dictionaries).ToDictionary(container => container.Type.Substring(container.Type.LastIndexOf('.') + 1));

    public static Container? Find(string type) => Known.TryGetValue(type, out Container? container) ? container : null;

    public static Container? Find(INamedTypeSymbol type)
        => type.IsGenericType && BySimpleName.TryGetValue(type.MetadataName, out Container? container)
        && KnownTypes.Is(type.OriginalDefinition, container.Type)
            ? container
            : null;

    private static Container Filled(string type, string method) => new(type) { Add = $"values.{method}(item);" };

    private static Container Built(string type, string build, ContainerSource source = ContainerSource.Array)
        => new(type) { Build = build, Source = source };

    private static Container Span(string type, string items, string build)
        => new(type) { Items = items, IsSpan = true, IsNull = "", Build = build, Source = ContainerSource.Array };

    private static Container Interface(string type, ContainerSource source) => new(type) { Source = source, IsOpen = true };

    private static string ImmutableOf(string name) => $"global::{Immutable}Immutable{name}.CreateRange<{{T}}>(items)";
}
