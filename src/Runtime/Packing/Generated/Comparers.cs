using System.Collections.Concurrent;

namespace BlitQueue.Generated;

/// <summary>
/// For generated code: comparers are not packed, so a new message's collections take over the comparers that its constructor and
/// initializers chose. The collections that those made are never written to, because they may be in use elsewhere.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static partial class Comparers
{
    /// <summary>An empty collection with the comparer of another.</summary>
    /// <param name="made">The collection that construction put into the member.</param>
    /// <returns>Null if the comparer is the default one.</returns>
    public static Dictionary<K, V>? Like<K, V>(Dictionary<K, V>? made)
        where K : notnull
        => made is null || IsUsual(made.Comparer) ? null : new(made.Comparer);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static OrderedDictionary<K, V>? Like<K, V>(OrderedDictionary<K, V>? made)
        where K : notnull
        => made is null || IsUsual(made.Comparer) ? null : new(made.Comparer);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static ConcurrentDictionary<K, V>? Like<K, V>(ConcurrentDictionary<K, V>? made)
        where K : notnull
        => made is null || IsUsual(made.Comparer) ? null : new(made.Comparer);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static SortedDictionary<K, V>? Like<K, V>(SortedDictionary<K, V>? made)
        where K : notnull
        => made is null || IsUsual(made.Comparer) ? null : new(made.Comparer);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static SortedList<K, V>? Like<K, V>(SortedList<K, V>? made)
        where K : notnull
        => made is null || IsUsual(made.Comparer) ? null : new(made.Comparer);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static Dictionary<K, V>? Like<K, V>(IDictionary<K, V>? made)
        where K : notnull
        => Like(made as Dictionary<K, V>);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static Dictionary<K, V>? Like<K, V>(IReadOnlyDictionary<K, V>? made)
        where K : notnull
        => Like(made as Dictionary<K, V>);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static HashSet<T>? Like<T>(HashSet<T>? made) => made is null || IsUsual(made.Comparer) ? null : new(made.Comparer);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static SortedSet<T>? Like<T>(SortedSet<T>? made) => made is null || IsUsual(made.Comparer) ? null : new(made.Comparer);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static HashSet<T>? Like<T>(ISet<T>? made) => Like(made as HashSet<T>);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static HashSet<T>? Like<T>(IReadOnlySet<T>? made) => Like(made as HashSet<T>);

    /// <inheritdoc cref="Like{K, V}(Dictionary{K, V})"/>
    public static PriorityQueue<T, P>? Like<T, P>(PriorityQueue<T, P>? made)
        => made is null || IsUsual(made.Comparer) ? null : new(made.Comparer);

    /// <summary>Removes the entries that the constructor of a user's own dictionary added.</summary>
    /// <param name="made">The dictionary.</param>
    /// <returns>The same.</returns>
    public static D Emptied<D, K, V>(D made)
        where D : IDictionary<K, V>
    {
        if (made.Count > 0)
        {
            made.Clear();
        }

        return made;
    }

    private static bool IsUsual<T>(IEqualityComparer<T> comparer) => ReferenceEquals(comparer, EqualityComparer<T>.Default);

    private static bool IsUsual<T>(IComparer<T> comparer) => ReferenceEquals(comparer, Comparer<T>.Default);
}
