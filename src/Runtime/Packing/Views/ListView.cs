namespace BlitQueue.Views;

/// <summary>A packed sequence of strings, messages or sequences, each of which is viewed in place.</summary>
/// <typeparam name="TView">The view of an element.</typeparam>
/// <remarks>
/// Elements have different sizes: the enumerator goes from one to the next, the indexer skips all elements in front. Put the view into a
/// local before you go through it: if the bytes change, the member that returned it may return another one the next time.
/// </remarks>
public readonly ref struct ListView<TView> : IPackView<ListView<TView>>
    where TView : IPackView<TView>, allows ref struct
{
    private readonly VariableView _list;

    /// <summary>Views a sequence.</summary>
    /// <param name="variable">The variable; null becomes an empty view.</param>
    /// <exception cref="PackException">The content is too short for its number of elements.</exception>
    public ListView(VariableView variable)
    {
        _list = variable;
        if (!variable.IsNull)
        {
            Count = variable.ReadCount(MessageFormat.HeaderSize);
        }
    }

    /// <summary>There is no sequence; one without elements is not null.</summary>
    public bool IsNull => _list.IsNull;

    /// <summary>How many elements there are; 0 for null.</summary>
    public int Count { get; }

    /// <summary>Views an element, and skips those in front of it.</summary>
    /// <param name="index">0 to <see cref="Count"/> - 1.</param>
    /// <returns>The element's view; the view of a null element says that it is null.</returns>
    /// <exception cref="PackException">An element up to this one is not wholly here, or cannot be what the view reads.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public TView this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            VariableIterator walk = Walk();
            while (index-- > 0)
            {
                walk.Next();
            }

            return TView.Of(walk.Next());
        }
    }

    /// <summary>Goes through the elements in order.</summary>
    /// <returns>An enumerator in front of the first element.</returns>
    public Enumerator GetEnumerator() => new(Walk(), Count);

    static ListView<TView> IPackView<ListView<TView>>.Of(VariableView variable) => new(variable);

    private VariableIterator Walk() => _list.Walk(sizeof(uint));

    /// <summary>Goes through the elements in order.</summary>
    public ref struct Enumerator
    {
        private VariableIterator _walk;
        private int _start;
        private int _end;
        private int _left;

        internal Enumerator(VariableIterator walk, int count)
        {
            _walk = walk;
            _left = count;
        }

        /// <summary>The element's view.</summary>
        /// <exception cref="PackException">The element cannot be what the view reads.</exception>
        public readonly TView Current => TView.Of(_walk.At(_start, _end));

        /// <summary>Goes to the next element.</summary>
        /// <returns>False behind the last one.</returns>
        /// <exception cref="PackException">The element is not wholly here.</exception>
        public bool MoveNext()
        {
            if (--_left < 0)
            {
                return false;
            }

            VariableView current = _walk.Next();
            _start = current.Start;
            _end = current.End;
            return true;
        }
    }
}
