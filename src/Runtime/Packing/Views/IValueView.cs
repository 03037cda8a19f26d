namespace BlitQueue.Views;

/// <summary>A view of values that stand one after the other.</summary>
/// <typeparam name="V">What is read of each.</typeparam>
internal interface IValueView<V>
{
    /// <summary>There is no sequence; one without values is not null.</summary>
    bool IsNull { get; }

    /// <summary>How many values there are.</summary>
    int Count { get; }

    /// <summary>Reads one value.</summary>
    V this[int index] { get; }

    /// <summary>Copies the values.</summary>
    /// <returns>A new array; null for null.</returns>
    static V[]? ToArray<TView>(scoped in TView view)
        where TView : IValueView<V>, allows ref struct
    {
        if (view.IsNull)
        {
            return null;
        }

        var array = new V[view.Count];
        for (int i = 0; i < array.Length; i++)
        {
            array[i] = view[i];
        }

        return array;
    }
}
