namespace BlitQueue.Generated;

/// <summary>
/// For generated code: fills a dictionary with the entries that are read. Values of equal keys are reused, and keys that are not read are
/// removed. Nothing is allocated if the same keys are read in the same order as last time.
/// </summary>
/// <typeparam name="K">The keys' type.</typeparam>
/// <typeparam name="V">The values' type.</typeparam>
/// <remarks>
/// For each entry: read a key, call <see cref="Find"/>, read a value, call <see cref="Set"/>. Then <see cref="Complete"/>.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct DictionaryPopulator<K, V>
    where K : notnull
{
    private readonly Dictionary<K, V> _values;

    // Goes over the given entries while the entries read have the same keys in the same order.
    private Dictionary<K, V>.Enumerator _given;
    private bool _isInStep;
    private int _matched;

    // The value of the entry before: filled for that entry, it must not be filled again.
    private V? _before;

    // From the first different key on: the given entries that were not read again yet.
    private Dictionary<K, V>? _left;

    /// <summary>Begins.</summary>
    /// <param name="values">The dictionary, with its present entries.</param>
    public DictionaryPopulator(Dictionary<K, V> values)
    {
        _values = values;
        _given = values.GetEnumerator();
        _isInStep = _given.MoveNext();
    }

    /// <summary>The key that comes next if nothing changed: an equal string need not be made anew.</summary>
    public readonly K? NextKey => _isInStep ? _given.Current.Key : default;

    /// <summary>The present value of the key found last, if it may be filled again.</summary>
    public V? Value { get; private set; }

    /// <summary>Looks up a key that was just read.</summary>
    /// <param name="reader">The reader, right behind the key.</param>
    /// <param name="key">The key.</param>
    /// <exception cref="PackException">The key is null.</exception>
    public void Find(scoped in PackReader reader, K key)
    {
        // Without the first half, code that the JIT does not optimize would box a value for the question.
        if (!typeof(K).IsValueType && key is null)
        {
            PackException.ThrowNullKey(reader.Position - MessageFormat.HeaderSize);
        }

        if (_isInStep)
        {
            if (_values.Comparer.Equals(key, _given.Current.Key))
            {
                Value = Unshared(_given.Current.Value);
                return;
            }

            LeaveStep();
        }

        Value = Unshared(_left is not null && _left.Remove(key, out V? value) ? value : default);
    }

    /// <summary>Sets the value of the key found last. Of equal keys the last one's value counts.</summary>
    /// <param name="reader">The reader, right behind the value.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">Its value.</param>
    public void Set(scoped in PackReader reader, K key, V value)
    {
        if (!_isInStep)
        {
            _values[key] = value;
            return;
        }

        // Writes through a reference, so that the enumeration stays valid.
        if (typeof(V).IsValueType || !ReferenceEquals(value, Value))
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_values, _given.Current.Key, out _) = value;
        }

        _matched++;
        _isInStep = _given.MoveNext();
    }

    /// <summary>Ends, and removes the entries that were not read again.</summary>
    public void Complete()
    {
        if (_isInStep)
        {
            LeaveStep();
        }
    }

    // An equal string is reused, however often it occurs.
    private V? Unshared(V? given) => typeof(V) == typeof(string) ? given : PackReader.Unshared(given, ref _before);

    private void LeaveStep()
    {
        _isInStep = false;
        _left = new Dictionary<K, V>(_values, _values.Comparer);
        _values.Clear();
        foreach ((K? key, V? value) in _left)
        {
            if (_matched-- == 0)
            {
                break;
            }

            _values.Add(key, value);
            _left.Remove(key);
        }
    }
}
