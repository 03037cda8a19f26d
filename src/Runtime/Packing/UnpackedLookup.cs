using System.Collections;

namespace BlitQueue;

/// <summary>Groups, found by their keys with the default comparer.</summary>
internal sealed class UnpackedLookup<K, V>(int capacity) : ILookup<K, V>
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
