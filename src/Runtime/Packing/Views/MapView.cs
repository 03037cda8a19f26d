namespace BlitQueue.Views;

/// <summary>A packed dictionary, whose keys and values are viewed in place, in the order in which they were packed.</summary>
/// <typeparam name="TKey">The view of a key.</typeparam>
/// <typeparam name="TValue">The view of a value.</typeparam>
/// <remarks>
/// <see cref="MapViewExtensions"/> look a key up, one entry after another. A key that is packed twice occurs twice here; a dictionary that
/// is unpacked has its last value.
/// </remarks>
/// <example>
/// <code>
/// foreach (var (sku, price) in order.Prices)
///     if (sku == "X-1") total += price;
/// </code>
/// </example>
public readonly ref struct MapView<TKey, TValue> : IPackView<MapView<TKey, TValue>>
    where TKey : IPackView<TKey>, allows ref struct
    where TValue : IPackView<TValue>, allows ref struct
{
    private readonly VariableView _map;

    /// <summary>Views a dictionary.</summary>
    /// <param name="variable">The variable; null becomes an empty view.</param>
    /// <exception cref="PackException">The content is too short for its number of entries.</exception>
    public MapView(VariableView variable)
    {
        _map = variable;
        if (!variable.IsNull)
        {
            Count = variable.ReadCount(VariableIterator.MinimumSize<TKey>() + VariableIterator.MinimumSize<TValue>());
        }
    }

    /// <summary>There is no dictionary; one without entries is not null.</summary>
    public bool IsNull => _map.IsNull;

    /// <summary>How many entries there are; 0 for null.</summary>
    public int Count { get; }

    /// <summary>Goes through the entries in order.</summary>
    /// <returns>An enumerator in front of the first entry.</returns>
    public Enumerator GetEnumerator() => new(_map.Walk(sizeof(uint)), Count);

    static MapView<TKey, TValue> IPackView<MapView<TKey, TValue>>.Of(VariableView variable) => new(variable);

    /// <summary>Goes through the entries in order.</summary>
    public ref struct Enumerator
    {
        private VariableIterator _walk;
        private int _left;

        internal Enumerator(VariableIterator walk, int count)
        {
            _walk = walk;
            _left = count;
        }

        /// <summary>The entry.</summary>
        public EntryView<TKey, TValue> Current { get; private set; }

        /// <summary>Goes to the next entry.</summary>
        /// <returns>False behind the last one.</returns>
        /// <exception cref="PackException">The entry is not wholly here.</exception>
        public bool MoveNext()
        {
            if (--_left < 0)
            {
                return false;
            }

            Current = new EntryView<TKey, TValue>(ref _walk);
            return true;
        }
    }
}
