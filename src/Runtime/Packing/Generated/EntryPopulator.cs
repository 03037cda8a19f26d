namespace BlitQueue.Generated;

/// <summary>
/// For generated code: fills any other dictionary, sorted or concurrent, with the entries that are read. Values of equal keys are reused,
/// and keys that are not read are removed.
/// </summary>
/// <typeparam name="K">The keys' type.</typeparam>
/// <typeparam name="V">The values' type.</typeparam>
/// <remarks>For each entry: read a key, call <see cref="Find"/>, read a value, call <see cref="Set"/>.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct EntryPopulator<K, V>
    where K : notnull
{
    private readonly IDictionary<K, V> _values;
    private readonly Dictionary<K, V>? _left;

    // The value of the entry before: filled for that entry, it must not be filled again.
    private V? _before;

    /// <summary>Begins.</summary>
    /// <param name="values">The dictionary, with its present entries.</param>
    public EntryPopulator(IDictionary<K, V> values)
    {
        _values = values;
        if (values.Count == 0)
        {
            return;
        }

        _left = [];
        foreach ((K? key, V? value) in values)
        {
            _left[key] = value;
        }

        values.Clear();
    }

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

        Value = Unshared(_left is not null && _left.Remove(key, out V? value) ? value : default);
    }

    /// <summary>Sets the value of the key found last. Of equal keys the last one's value counts.</summary>
    /// <param name="reader">The reader, right behind the value.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">Its value.</param>
    /// <exception cref="PackException">The dictionary refuses the entry.</exception>
    public readonly void Set(scoped in PackReader reader, K key, V value)
    {
        try
        {
            if (!_values.TryAdd(key, value))
            {
                _values[key] = value;
            }
        }
        catch (Exception refusal) when (refusal is not PackException)
        {
            // A user's own dictionary may refuse an entry.
            PackException.ThrowNotTaken(in reader, _values.GetType(), refusal);
        }
    }

    // An equal string is reused, however often it occurs.
    private V? Unshared(V? given) => typeof(V) == typeof(string) ? given : PackReader.Unshared(given, ref _before);
}
