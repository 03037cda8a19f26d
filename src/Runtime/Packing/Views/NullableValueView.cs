namespace BlitQueue.Views;

/// <summary>A value of fixed size or null, inside a map, a tuple or a grid. It converts to the value implicitly.</summary>
/// <typeparam name="V">The value's type.</typeparam>
public readonly struct NullableValueView<V> : IPackView<NullableValueView<V>>
    where V : unmanaged
{
    private NullableValueView(V? value) => Value = value;

    static int IPackView<NullableValueView<V>>.FixedSize => 1 + FixedFormat.Size<V>();

    /// <summary>The value or null.</summary>
    public V? Value { get; }

    /// <summary>The value itself.</summary>
    /// <param name="view">The view.</param>
    public static implicit operator V?(NullableValueView<V> view) => view.Value;

    /// <summary>The value as text.</summary>
    /// <returns>The value's text; empty for null.</returns>
    public override string? ToString() => Value.ToString();

    static NullableValueView<V> IPackView<NullableValueView<V>>.Of(VariableView variable)
    {
        if (variable.IsNull)
        {
            return default;
        }

        if (variable.Length < 1 + FixedFormat.Size<V>())
        {
            ViewSource.Throw(variable.Source, PackException.CutOff(variable.Start, 1 + FixedFormat.Size<V>(), variable.Length));
        }

        return new(variable.Source.ReadNullable<V>(variable.Start));
    }
}
