using BlitQueue.Memory;

namespace BlitQueue.Views;

/// <summary>A packed sequence of values of one fixed size, read in place.</summary>
/// <typeparam name="V">The values' type.</typeparam>
/// <remarks>The number of values is fixed when the view is made; the values may change if another process can write them.</remarks>
public readonly ref struct SpanView<V> : IPackView<SpanView<V>>, IValueView<V>
    where V : unmanaged
{
    private readonly VariableView _values;

    /// <summary>Views a sequence.</summary>
    /// <param name="variable">The variable; null becomes an empty view.</param>
    /// <exception cref="PackException">The content is no whole number of values.</exception>
    public SpanView(VariableView variable)
    {
        _values = variable;
        Count = variable.CountElements(FixedFormat.Size<V>());
    }

    /// <summary>There is no sequence; one without values is not null.</summary>
    public bool IsNull => _values.IsNull;

    /// <summary>How many values there are; 0 for null.</summary>
    public int Count { get; }

    /// <summary>The packed bytes as values, without a copy, in no particular alignment.</summary>
    /// <exception cref="NotSupportedException">
    /// Not every bit pattern of <typeparamref name="V"/> is valid (bool, decimal, DateTime...): use the indexer.
    /// </exception>
    public ReadOnlySpan<V> Span
    {
        get
        {
            if (!FixedFormat.IsBlittable<V>())
            {
                throw new NotSupportedException($"{typeof(V)} must be checked value by value: use the indexer.");
            }

            return Blit.View<V>(_values.Bytes);
        }
    }

    /// <summary>Reads one value.</summary>
    /// <param name="index">0 to <see cref="Count"/> - 1.</param>
    /// <returns>A valid value of its type.</returns>
    /// <exception cref="PackException">The bytes are no valid value.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such value.</exception>
    public V this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return _values.Source.Read<V>(_values.Start + (index * FixedFormat.Size<V>()));
        }
    }

    /// <summary>Copies the values.</summary>
    /// <returns>A new array; null for null.</returns>
    /// <exception cref="PackException">A value is not valid.</exception>
    public V[]? ToArray() => IValueView<V>.ToArray(this);

    /// <summary>Goes through the values in order.</summary>
    /// <returns>An enumerator in front of the first value.</returns>
    public Enumerator GetEnumerator() => new(this);

    static SpanView<V> IPackView<SpanView<V>>.Of(VariableView variable) => new(variable);

    /// <summary>Goes through the values in order.</summary>
    public ref struct Enumerator
    {
        private readonly SpanView<V> _view;
        private int _index = -1;

        internal Enumerator(SpanView<V> view) => _view = view;

        /// <summary>The value.</summary>
        /// <exception cref="PackException">The bytes are no valid value.</exception>
        public readonly V Current => _view[_index];

        /// <summary>Goes to the next value.</summary>
        /// <returns>False behind the last one.</returns>
        public bool MoveNext() => ++_index < _view.Count;
    }
}
