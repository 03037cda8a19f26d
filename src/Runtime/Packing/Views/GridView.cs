using BlitQueue.Memory;

namespace BlitQueue.Views;

/// <summary>A packed array of several dimensions, whose elements are viewed in place.</summary>
/// <typeparam name="TRank">The number of dimensions.</typeparam>
/// <typeparam name="TItem">The view of an element.</typeparam>
/// <remarks>
/// An element of fixed size is found by arithmetic, and <see cref="GridViewExtensions"/> give such elements as a span. To find another
/// element, the view skips those in front of it.
/// </remarks>
/// <example>
/// <code>
/// double corner = board.Heights[0, board.Heights.GetLength(1) - 1];
/// </code>
/// </example>
public readonly ref struct GridView<TRank, TItem> : IPackView<GridView<TRank, TItem>>
    where TRank : IGridRank
    where TItem : IPackView<TItem>, allows ref struct
{
    private readonly VariableView _grid;
    private readonly Lengths _lengths;

    /// <summary>Views an array of several dimensions.</summary>
    /// <param name="variable">The variable; null becomes an empty view.</param>
    /// <exception cref="PackException">The content does not fit the lengths.</exception>
    public GridView(VariableView variable)
    {
        _grid = variable;
        if (variable.IsNull)
        {
            return;
        }

        Count = ReadLengths(variable, ref _lengths);
        long left = variable.Length - Prefix - (Count * (long)TItem.FixedSize);
        if (TItem.FixedSize > 0 && left > 0)
        {
            ViewSource.Throw(variable.Source, PackException.LeftOver(variable.End - (int)left, left));
        }
    }

    /// <summary>There is no array; one without elements is not null.</summary>
    public bool IsNull => _grid.IsNull;

    /// <summary>How many dimensions it has.</summary>
    public int Rank => TRank.Rank;

    /// <summary>How many elements there are in all; 0 for null.</summary>
    public int Count { get; }

    internal VariableView Elements => IsNull ? default : new(_grid.Source, _grid.Start + Prefix, _grid.End, _grid.Depth);

    private static int Prefix => TRank.Rank * sizeof(uint);

    /// <summary>Views an element.</summary>
    /// <param name="indices">One for each dimension.</param>
    /// <returns>The element's view.</returns>
    /// <exception cref="PackException">An element up to this one is not wholly here, or cannot be what the view reads.</exception>
    /// <exception cref="ArgumentException">There are more or fewer indices than dimensions.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public TItem this[params scoped ReadOnlySpan<int> indices]
    {
        get
        {
            int index = IndexOf(indices);
            if (TItem.FixedSize > 0)
            {
                return _grid.Walk(Prefix + (index * TItem.FixedSize)).View<TItem>();
            }

            VariableIterator walk = _grid.Walk(Prefix);
            while (index-- > 0)
            {
                walk.Next();
            }

            return walk.View<TItem>();
        }
    }

    /// <summary>The length of one dimension.</summary>
    /// <param name="dimension">0 to <see cref="Rank"/> - 1.</param>
    /// <returns>0 or more; 0 for null.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such dimension.</exception>
    public int GetLength(int dimension)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)dimension, (uint)Rank, nameof(dimension));
        return _lengths[dimension];
    }

    /// <summary>Goes through the elements, the last index running fastest.</summary>
    /// <returns>An enumerator in front of the first element.</returns>
    public Enumerator GetEnumerator() => new(_grid.Walk(Prefix), Count);

    static GridView<TRank, TItem> IPackView<GridView<TRank, TItem>>.Of(VariableView variable) => new(variable);

    private int IndexOf(scoped ReadOnlySpan<int> indices)
    {
        if (indices.Length != Rank)
        {
            throw new ArgumentException($"{indices.Length} indices are given for {Rank} dimensions.", nameof(indices));
        }

        // No sum can overflow, because the index of the last element does not.
        int index = 0;
        for (int i = 0; i < indices.Length; i++)
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)indices[i], (uint)_lengths[i], nameof(indices));
            index = (index * _lengths[i]) + indices[i];
        }

        return index;
    }

    // Like a reader, refuses more elements than the bytes left can contain.
    private static int ReadLengths(VariableView variable, ref Lengths lengths)
    {
        int left = variable.Length - Prefix;
        if (left < 0)
        {
            ViewSource.Throw(variable.Source, PackException.CutOff(variable.Start, Prefix, variable.Length));
        }

        bool isEmpty = false;
        long product = 1L;
        for (int i = 0; i < TRank.Rank; i++)
        {
            Blit.TryRead(variable.Source.Bytes, variable.Start + (i * sizeof(uint)), out uint declared);
            isEmpty |= declared == 0;
            product *= Math.Max(1, declared);
            if (product > Array.MaxLength)
            {
                ViewSource.Throw(variable.Source, PackException.Count(variable.Start, product, left));
            }

            lengths[i] = (int)declared;
        }

        if (!isEmpty && product * VariableIterator.MinimumSize<TItem>() > left)
        {
            ViewSource.Throw(variable.Source, PackException.Count(variable.Start, product, left));
        }

        return isEmpty ? 0 : (int)product;
    }

    // Read once.
    [InlineArray(4)]
    private struct Lengths
    {
        private int _first;
    }

    /// <summary>Goes through the elements in order.</summary>
    public ref struct Enumerator
    {
        private VariableIterator _walk;
        private VariableView _current;
        private int _left;

        internal Enumerator(VariableIterator walk, int count)
        {
            _walk = walk;
            _left = count;
        }

        /// <summary>The element's view.</summary>
        /// <exception cref="PackException">The element cannot be what the view reads.</exception>
        public readonly TItem Current => TItem.Of(_current);

        /// <summary>Goes to the next element.</summary>
        /// <returns>False behind the last one.</returns>
        /// <exception cref="PackException">The element is not wholly here.</exception>
        public bool MoveNext()
        {
            if (--_left < 0)
            {
                return false;
            }

            _current = _walk.Next<TItem>();
            return true;
        }
    }
}
