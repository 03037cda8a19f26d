using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;

namespace BlitQueue.Generated;

/// <content>Methods for a collection that is read before the message is made.</content>
public static partial class Comparers
{
    /// <summary>
    /// The collection that was read, with the comparer of the collection that construction put into the member. Of keys that are equal by
    /// that comparer, the last one's value counts.
    /// </summary>
    /// <param name="read">The collection that was read.</param>
    /// <param name="made">The collection that construction put into the member.</param>
    [return: NotNullIfNotNull(nameof(read))]
    public static Dictionary<K, V>? Adopt<K, V>(Dictionary<K, V>? read, Dictionary<K, V>? made)
        where K : notnull
        => read is not null && Like(made) is { } like ? Filled<Dictionary<K, V>, K, V>(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static OrderedDictionary<K, V>? Adopt<K, V>(OrderedDictionary<K, V>? read, OrderedDictionary<K, V>? made)
        where K : notnull
        => read is not null && Like(made) is { } like ? Filled<OrderedDictionary<K, V>, K, V>(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static ConcurrentDictionary<K, V>? Adopt<K, V>(ConcurrentDictionary<K, V>? read, ConcurrentDictionary<K, V>? made)
        where K : notnull
        => read is not null && Like(made) is { } like ? Filled<ConcurrentDictionary<K, V>, K, V>(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static SortedDictionary<K, V>? Adopt<K, V>(SortedDictionary<K, V>? read, SortedDictionary<K, V>? made)
        where K : notnull
        => read is not null && Like(made) is { } like ? Filled<SortedDictionary<K, V>, K, V>(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static SortedList<K, V>? Adopt<K, V>(SortedList<K, V>? read, SortedList<K, V>? made)
        where K : notnull
        => read is not null && Like(made) is { } like ? Filled<SortedList<K, V>, K, V>(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static IDictionary<K, V>? Adopt<K, V>(IDictionary<K, V>? read, IDictionary<K, V>? made)
        where K : notnull
        => read is not null && Like(made) is { } like ? Filled<Dictionary<K, V>, K, V>(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static IReadOnlyDictionary<K, V>? Adopt<K, V>(IReadOnlyDictionary<K, V>? read, IReadOnlyDictionary<K, V>? made)
        where K : notnull
        => read is not null && Like(made) is { } like ? Filled<Dictionary<K, V>, K, V>(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static ImmutableDictionary<K, V>? Adopt<K, V>(ImmutableDictionary<K, V>? read, ImmutableDictionary<K, V>? made)
        where K : notnull
    {
        if (read is null || made is null || (IsUsual(made.KeyComparer) && IsUsual(made.ValueComparer)))
        {
            return read;
        }

        return ImmutableDictionary.CreateRange(
            made.KeyComparer, made.ValueComparer, Filled<Dictionary<K, V>, K, V>(read, new Dictionary<K, V>(made.KeyComparer)));
    }

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static ImmutableSortedDictionary<K, V>? Adopt<K, V>(
        ImmutableSortedDictionary<K, V>? read, ImmutableSortedDictionary<K, V>? made)
        where K : notnull
    {
        if (read is null || made is null || (IsUsual(made.KeyComparer) && IsUsual(made.ValueComparer)))
        {
            return read;
        }

        return ImmutableSortedDictionary.CreateRange(
            made.KeyComparer, made.ValueComparer, Filled<SortedDictionary<K, V>, K, V>(read, new SortedDictionary<K, V>(made.KeyComparer)));
    }

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static IImmutableDictionary<K, V>? Adopt<K, V>(IImmutableDictionary<K, V>? read, IImmutableDictionary<K, V>? made)
        where K : notnull
        => read is ImmutableDictionary<K, V> hashed ? Adopt(hashed, made as ImmutableDictionary<K, V>) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static FrozenDictionary<K, V>? Adopt<K, V>(FrozenDictionary<K, V>? read, FrozenDictionary<K, V>? made)
        where K : notnull
        => read is null || made is null || IsUsual(made.Comparer) ? read
            : Filled<Dictionary<K, V>, K, V>(read, new Dictionary<K, V>(made.Comparer)).ToFrozenDictionary(made.Comparer);

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static HashSet<T>? Adopt<T>(HashSet<T>? read, HashSet<T>? made)
        => read is not null && Like(made) is { } like ? Filled(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static SortedSet<T>? Adopt<T>(SortedSet<T>? read, SortedSet<T>? made)
        => read is not null && Like(made) is { } like ? Filled(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static ISet<T>? Adopt<T>(ISet<T>? read, ISet<T>? made)
        => read is not null && Like(made) is { } like ? Filled(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static IReadOnlySet<T>? Adopt<T>(IReadOnlySet<T>? read, IReadOnlySet<T>? made)
        => read is not null && Like(made) is { } like ? Filled(read, like) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static ImmutableHashSet<T>? Adopt<T>(ImmutableHashSet<T>? read, ImmutableHashSet<T>? made)
        => made is null ? read : read?.WithComparer(made.KeyComparer);

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static ImmutableSortedSet<T>? Adopt<T>(ImmutableSortedSet<T>? read, ImmutableSortedSet<T>? made)
        => made is null ? read : read?.WithComparer(made.KeyComparer);

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static IImmutableSet<T>? Adopt<T>(IImmutableSet<T>? read, IImmutableSet<T>? made)
        => read is ImmutableHashSet<T> hashed ? Adopt(hashed, made as ImmutableHashSet<T>) : read;

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static FrozenSet<T>? Adopt<T>(FrozenSet<T>? read, FrozenSet<T>? made)
        => read is null || made is null || IsUsual(made.Comparer) ? read : read.ToFrozenSet(made.Comparer);

    /// <inheritdoc cref="Adopt{K, V}(Dictionary{K, V}, Dictionary{K, V})"/>
    [return: NotNullIfNotNull(nameof(read))]
    public static PriorityQueue<T, P>? Adopt<T, P>(PriorityQueue<T, P>? read, PriorityQueue<T, P>? made)
    {
        if (read is null || Like(made) is not { } like)
        {
            return read;
        }

        like.EnqueueRange(read.UnorderedItems);
        return like;
    }

    private static S Filled<S, T>(IEnumerable<T> read, S like)
        where S : ISet<T>
    {
        like.UnionWith(read);
        return like;
    }

    private static D Filled<D, K, V>(IEnumerable<KeyValuePair<K, V>> read, D like)
        where D : IDictionary<K, V>
    {
        foreach ((K? key, V? value) in read)
        {
            like[key] = value;
        }

        return like;
    }
}
