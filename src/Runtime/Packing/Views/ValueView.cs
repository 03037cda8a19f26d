namespace BlitQueue.Views;

/// <summary>A value of fixed size inside a map, a tuple or a grid. It converts to the value implicitly.</summary>
/// <typeparam name="V">The value's type.</typeparam>
public readonly struct ValueView<V> : IPackView<ValueView<V>>
    where V : unmanaged
{
    private ValueView(V value) => Value = value;

    static int IPackView<ValueView<V>>.FixedSize => FixedFormat.Size<V>();

    /// <summary>The value; the default if the part around it is null.</summary>
    public V Value { get; }

    /// <summary>The value itself.</summary>
    /// <param name="view">The view.</param>
    public static implicit operator V(ValueView<V> view) => view.Value;

    /// <summary>The value as text.</summary>
    /// <returns>The value's text.</returns>
    public override string? ToString() => Value.ToString();

    static ValueView<V> IPackView<ValueView<V>>.Of(VariableView variable)
    {
        if (variable.IsNull)
        {
            return default;
        }

        if (variable.Length < FixedFormat.Size<V>())
        {
            ViewSource.Throw(variable.Source, PackException.CutOff(variable.Start, FixedFormat.Size<V>(), variable.Length));
        }

        return new(variable.Source.Read<V>(variable.Start));
    }
}
