using System.ComponentModel;
using System.Runtime.InteropServices;

namespace BlitQueue.Generated;

/// <summary>
/// For generated code: fills a dictionary with the entries that are read. Values of equal keys are reused, keys that do not come are
/// removed. Nothing is allocated when the same keys come in the same order as last time.
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

    // Walks over the given entries while the entries read have the same keys in the same order.
    private Dictionary<K, V>.Enumerator _given;
    private bool _isInStep;
    private int _matched;

    // What the entry before this held: filled for that, it must not be filled again.
    private V? _before;

    // The given entries that were not read again yet, from when the keys went different ways.
    private Dictionary<K, V>? _left;

    /// <summary>Begins.</summary>
    /// <param name="values">The dictionary, with what it holds from before.</param>
    public DictionaryPopulator(Dictionary<K, V> values)
    {
        _values = values;
        _given = values.GetEnumerator();
        _isInStep = _given.MoveNext();
    }

    /// <summary>The key that comes next if nothing changed: a string that is equal need not be made anew.</summary>
    public readonly K? NextKey => _isInStep ? _given.Current.Key : default;

    /// <summary>What the key found last held from before, if anything that may be filled again.</summary>
    public V? Value { get; private set; }

    /// <summary>Looks up a key that was just read.</summary>
    /// <param name="reader">The reader, right behind the key.</param>
    /// <param name="key">The key.</param>
    /// <exception cref="PackException">The key is null.</exception>
    public void Find(scoped in PackReader reader, K key)
    {
        // The first half keeps a value from being boxed for the question where the JIT does not optimize.
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

    /// <summary>Sets the value of the key found last. Of keys that are equal the last one's value counts.</summary>
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

        // Through a reference: the enumeration goes on, and what has not moved need not be looked up.
        if (typeof(V).IsValueType || !ReferenceEquals(value, Value))
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_values, _given.Current.Key, out _) = value;
        }

        _matched++;
        _isInStep = _given.MoveNext();
    }

    /// <summary>Ends: what was not read again is removed.</summary>
    public void Complete()
    {
        if (_isInStep)
        {
            LeaveStep();
        }
    }

    // An equal string stays what it is, however often it stands there.
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
