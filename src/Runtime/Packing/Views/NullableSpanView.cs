namespace BlitQueue.Views;

/// <summary>A packed sequence of values or nulls of one fixed size, read in place.</summary>
/// <typeparam name="V">The values' type.</typeparam>
/// <remarks>The number of values is fixed when the view is made; the values may change if another process can write them.</remarks>
public readonly ref struct NullableSpanView<V> : IPackView<NullableSpanView<V>>, IValueView<V?>
    where V : unmanaged
{
    private readonly VariableView _values;

    /// <summary>Views a sequence.</summary>
    /// <param name="variable">The variable; null becomes an empty view.</param>
    /// <exception cref="PackException">The content is no whole number of values.</exception>
    public NullableSpanView(VariableView variable)
    {
        _values = variable;
        Count = variable.CountElements(ElementSize);
    }

    /// <summary>There is no sequence; one without values is not null.</summary>
    public bool IsNull => _values.IsNull;

    /// <summary>How many values there are; 0 for null.</summary>
    public int Count { get; }

    /// <summary>Reads one value or null.</summary>
    /// <param name="index">0 to <see cref="Count"/> - 1.</param>
    /// <returns>A valid value of its type, or null.</returns>
    /// <exception cref="PackException">The bytes are no valid value.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such value.</exception>
    public V? this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return _values.Source.ReadNullable<V>(_values.Start + (index * ElementSize));
        }
    }

    /// <summary>Copies the values.</summary>
    /// <returns>A new array; null for null.</returns>
    /// <exception cref="PackException">A value is not valid.</exception>
    public V?[]? ToArray() => IValueView<V?>.ToArray(this);

    /// <summary>Goes through the values in order.</summary>
    /// <returns>An enumerator in front of the first value.</returns>
    public Enumerator GetEnumerator() => new(this);

    private static int ElementSize => 1 + FixedFormat.Size<V>();

    static NullableSpanView<V> IPackView<NullableSpanView<V>>.Of(VariableView variable) => new(variable);

    /// <summary>Goes through the values in order.</summary>
    public ref struct Enumerator
    {
        private readonly NullableSpanView<V> _view;
        private int _index = -1;

        internal Enumerator(NullableSpanView<V> view) => _view = view;

        /// <summary>The value.</summary>
        /// <exception cref="PackException">The bytes are no valid value.</exception>
        public readonly V? Current => _view[_index];

        /// <summary>Goes to the next value.</summary>
        /// <returns>False behind the last one.</returns>
        public bool MoveNext() => ++_index < _view.Count;
    }
}
