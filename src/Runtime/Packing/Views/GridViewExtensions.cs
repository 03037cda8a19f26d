using BlitQueue.Views;

namespace BlitQueue;

/// <summary>Methods of packed arrays of several dimensions whose elements are values.</summary>
/// <example>
/// <code>
/// foreach (float height in map.Heights.AsSpanView()) sum += height;
/// </code>
/// </example>
public static class GridViewExtensions
{
    /// <summary>All elements as one sequence, the last index running fastest: for spans and copies.</summary>
    /// <param name="grid">The array.</param>
    /// <returns>The elements; null for null.</returns>
    public static SpanView<V> AsSpanView<TRank, V>(this GridView<TRank, ValueView<V>> grid)
        where TRank : IGridRank
        where V : unmanaged => new(grid.Elements);

    /// <summary>All elements as one sequence, the last index running fastest.</summary>
    /// <param name="grid">The array.</param>
    /// <returns>The elements; null for null.</returns>
    public static NullableSpanView<V> AsSpanView<TRank, V>(this GridView<TRank, NullableValueView<V>> grid)
        where TRank : IGridRank
        where V : unmanaged => new(grid.Elements);
}
