using System.Collections;

namespace BlitQueue;

/// <summary>A key and the elements that have it.</summary>
internal sealed class UnpackedGroup<K, V>(K key, V[] items) : IGrouping<K, V>, IReadOnlyList<V>
{
    public K Key { get; } = key;

    public int Count => items.Length;

    public V this[int index] => items[index];

    public IEnumerator<V> GetEnumerator() => ((IEnumerable<V>)items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => items.GetEnumerator();
}
