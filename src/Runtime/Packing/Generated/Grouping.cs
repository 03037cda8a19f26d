using System.Collections;

namespace BlitQueue.Generated;

/// <summary>For generated code: makes the groups and lookups that were read.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class Grouping
{
    /// <summary>A group.</summary>
    /// <typeparam name="K">The key's type.</typeparam>
    /// <typeparam name="V">The elements' type.</typeparam>
    /// <param name="key">Its key.</param>
    /// <param name="items">Its elements; a list is taken over as it is, null counts as none.</param>
    /// <returns>The group.</returns>
    public static IGrouping<K, V> Of<K, V>(K key, IEnumerable<V>? items) => new Group<K, V>(key, items);

    /// <summary>A lookup of groups, in their order. Groups with equal keys become one.</summary>
    /// <typeparam name="K">The keys' type.</typeparam>
    /// <typeparam name="V">The elements' type.</typeparam>
    /// <param name="reader">The reader, right behind the groups.</param>
    /// <param name="groups">The groups.</param>
    /// <returns>The lookup.</returns>
    /// <exception cref="PackException">A group is null.</exception>
    public static ILookup<K, V> ToLookup<K, V>(scoped in PackReader reader, IGrouping<K, V>?[] groups)
    {
        var lookup = new Lookup<K, V>(groups.Length);
        foreach (IGrouping<K, V>? group in groups)
        {
            if (group is null)
            {
                PackException.ThrowObject(reader.Position, "ILookup");
            }

            lookup.Add(group);
        }

        return lookup;
    }

    /// <summary>A key and the elements that have it.</summary>
    private sealed class Group<K, V>(K key, IEnumerable<V>? items) : IGrouping<K, V>, IReadOnlyList<V>
    {
        // A list, so that adding group after group of one key costs no more than the elements. A list that was read is in no other use.
        private readonly List<V> _items = items as List<V> ?? [.. items ?? []];

        public K Key { get; } = key;

        public int Count => _items.Count;

        public V this[int index] => _items[index];

        public void Add(IEnumerable<V> more) => _items.AddRange(more);

        public IEnumerator<V> GetEnumerator() => _items.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => _items.GetEnumerator();
    }

    /// <summary>Groups, found by their keys with the default comparer.</summary>
    private sealed class Lookup<K, V>(int capacity) : ILookup<K, V>
    {
        private readonly List<Group<K, V>> _groups = new(capacity);

        // The key is wrapped, because a key of a lookup, unlike that of a dictionary, may be null.
        private readonly Dictionary<ValueTuple<K>, Group<K, V>> _byKey = new(capacity);

        public int Count => _groups.Count;

        public IEnumerable<V> this[K key] => _byKey.TryGetValue(new(key), out Group<K, V>? group) ? group : [];

        public void Add(IGrouping<K, V> group)
        {
            if (_byKey.TryGetValue(new(group.Key), out Group<K, V>? known))
            {
                known.Add(group);
                return;
            }

            Group<K, V> added = group as Group<K, V> ?? new Group<K, V>(group.Key, group);
            _byKey.Add(new(group.Key), added);
            _groups.Add(added);
        }

        public bool Contains(K key) => _byKey.ContainsKey(new(key));

        public IEnumerator<IGrouping<K, V>> GetEnumerator() => _groups.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => _groups.GetEnumerator();
    }
}
