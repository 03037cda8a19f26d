using System.Collections;

namespace BlitQueue.Generator.Model;

/// <summary>The only collection type in models: two are equal if their elements are.</summary>
/// <remarks>A class, because the default of a struct would contain a null array.</remarks>
internal sealed class EquatableArray<T> : IReadOnlyList<T>, IEquatable<EquatableArray<T>>
    where T : IEquatable<T>
{
    public static readonly EquatableArray<T> Empty = new([]);

    private readonly T[] _items;

    public EquatableArray(IEnumerable<T> items) => _items = items.ToArray();

    public int Count => _items.Length;

    public T this[int index] => _items[index];

    public bool Equals(EquatableArray<T>? other)
        => ReferenceEquals(this, other) || (other is not null && _items.AsSpan().SequenceEqual(other._items));

    public override bool Equals(object? other) => Equals(other as EquatableArray<T>);

    public override int GetHashCode()
    {
        int hash = 17;
        foreach (T item in _items)
        {
            hash = unchecked((hash * 31) + item.GetHashCode());
        }

        return hash;
    }

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)_items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => _items.GetEnumerator();
}
