namespace BlitQueue.Views;

/// <summary>A packed key and its value, in a map or by themselves, each viewed in place.</summary>
/// <typeparam name="TKey">The key's view.</typeparam>
/// <typeparam name="TValue">The value's view.</typeparam>
public readonly ref struct EntryView<TKey, TValue> : IPackView<EntryView<TKey, TValue>>
    where TKey : IPackView<TKey>, allows ref struct
    where TValue : IPackView<TValue>, allows ref struct
{
    private readonly VariableView _key;
    private readonly VariableView _value;

    internal EntryView(scoped ref VariableIterator walk)
    {
        _key = walk.Next<TKey>();
        _value = walk.Next<TValue>();
    }

    private EntryView(VariableView variable)
    {
        IsNull = variable.IsNull;
        VariableIterator walk = variable.Walk();
        _key = walk.Next<TKey>();
        _value = walk.Next<TValue>();
    }

    /// <summary>There is no entry; an entry of a map is never null.</summary>
    public bool IsNull { get; }

    /// <summary>The key's view.</summary>
    /// <exception cref="PackException">The bytes cannot be a key.</exception>
    public TKey Key => TKey.Of(_key);

    /// <summary>The value's view.</summary>
    /// <exception cref="PackException">The bytes cannot be a value.</exception>
    public TValue Value => TValue.Of(_value);

    /// <summary>Takes the entry apart.</summary>
    /// <param name="key">The key's view.</param>
    /// <param name="value">The value's view.</param>
    /// <exception cref="PackException">The bytes cannot be a key and a value.</exception>
    public void Deconstruct(out TKey key, out TValue value)
    {
        key = Key;
        value = Value;
    }

    static EntryView<TKey, TValue> IPackView<EntryView<TKey, TValue>>.Of(VariableView variable) => new(variable);
}
