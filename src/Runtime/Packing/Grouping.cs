using System.Collections;
using System.ComponentModel;

namespace BlitQueue;

/// <summary>For generated code: makes the groups and lookups that were read.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class Grouping
{
    /// <summary>A group.</summary>
    /// <typeparam name="K">The key's type.</typeparam>
    /// <typeparam name="V">The elements' type.</typeparam>
    /// <param name="key">Its key.</param>
    /// <param name="items">Its elements; null counts as none.</param>
    /// <returns>The group.</returns>
    public static IGrouping<K, V> Of<K, V>(K key, IEnumerable<V>? items) => new Group<K, V>(key, items is null ? [] : [.. items]);

    /// <summary>A lookup of groups, in their order.</summary>
    /// <typeparam name="K">The keys' type.</typeparam>
    /// <typeparam name="V">The elements' type.</typeparam>
    /// <param name="reader">The reader, right behind the groups.</param>
    /// <param name="groups">The groups.</param>
    /// <returns>The lookup.</returns>
    /// <exception cref="PackException">A group is null, or its key came before.</exception>
    public static ILookup<K, V> ToLookup<K, V>(scoped in PackReader reader, IGrouping<K, V>?[] groups)
    {
        var lookup = new Lookup<K, V>(groups.Length);
        foreach (var group in groups)
        {
            if (group is null)
                PackException.ThrowObject(reader.Position, "ILookup");
            if (!lookup.TryAdd(group))
                PackException.ThrowDuplicateKey(reader.Position);
        }

        return lookup;
    }

    /// <summary>A key and the elements that have it.</summary>
    private sealed class Group<K, V>(K key, V[] items) : IGrouping<K, V>, IReadOnlyList<V>
    {
        public K Key { get; } = key;

        public int Count => items.Length;

        public V this[int index] => items[index];

        public IEnumerator<V> GetEnumerator() => ((IEnumerable<V>)items).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => items.GetEnumerator();
    }

    /// <summary>Groups, found by their keys with the default comparer.</summary>
    private sealed class Lookup<K, V>(int capacity) : ILookup<K, V>
    {
        private readonly List<IGrouping<K, V>> _groups = new(capacity);

        // By a key in a box of its own: a lookup, unlike a dictionary, has null for a key too.
        private readonly Dictionary<ValueTuple<K>, IGrouping<K, V>> _byKey = new(capacity);

        public int Count => _groups.Count;

        public IEnumerable<V> this[K key] => _byKey.TryGetValue(new(key), out var group) ? group : [];

        public bool TryAdd(IGrouping<K, V> group)
        {
            if (!_byKey.TryAdd(new(group.Key), group))
                return false;

            _groups.Add(group);
            return true;
        }

        public bool Contains(K key) => _byKey.ContainsKey(new(key));

        public IEnumerator<IGrouping<K, V>> GetEnumerator() => _groups.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => _groups.GetEnumerator();
    }
}
