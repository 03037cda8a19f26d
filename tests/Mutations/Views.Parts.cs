using System.Reflection;
using BlitQueue.Views;

namespace BlitQueue.Mutations;

/// <summary>Views of what holds others: collections, dictionaries, tuples and grids, in the order in which they were packed.</summary>
internal static partial class Views
{
    private static void LookAtSpan<V>(ref SpanView<V> view, object? value, ViewWatch watch)
        where V : unmanaged
    {
        IReadOnlyList<object?>? items = PackingOrder.Items(value);
        watch.Same(view.IsNull, items is null);
        watch.Same(view.ToArray(), items);
        foreach (V item in view)
        {
            _ = item;
        }

        if (IsBlittable<V>())
        {
            watch.Same(view.Span.ToArray(), items ?? []);
        }
    }

    private static void LookAtNullables<V>(ref NullableSpanView<V> view, object? value, ViewWatch watch)
        where V : unmanaged
    {
        IReadOnlyList<object?>? items = PackingOrder.Items(value);
        watch.Same(view.IsNull, items is null);
        watch.Same(view.ToArray(), items);
        foreach (V? item in view)
        {
            _ = item;
        }
    }

    private static void LookAtList<TView>(ref ListView<TView> view, object? value, ViewWatch watch)
        where TView : IPackView<TView>, allows ref struct
    {
        IReadOnlyList<object?>? items = PackingOrder.Items(value);
        watch.Same(view.IsNull, items is null);
        watch.Same(view.Count, items?.Count ?? 0);

        int index = 0;
        foreach (TView item in view)
        {
            TView element = item;
            Views<TView>.Look(ref element, items?[index++], watch);
        }

        if (view.Count == 0)
        {
            return;
        }

        TView last = view[view.Count - 1];
        watch.Again(ref last, items?[^1]);
    }

    private static void LookAtMap<TKey, TValue>(ref MapView<TKey, TValue> view, object? value, ViewWatch watch)
        where TKey : IPackView<TKey>, allows ref struct
        where TValue : IPackView<TValue>, allows ref struct
    {
        IReadOnlyList<object?>? entries = PackingOrder.Items(value);
        watch.Same(view.IsNull, entries is null);
        watch.Same(view.Count, entries?.Count ?? 0);

        int index = 0;
        foreach (EntryView<TKey, TValue> item in view)
        {
            EntryView<TKey, TValue> entry = item;
            LookAtEntry(ref entry, entries?[index++], watch);
        }

        Finding<TKey, TValue>.Find?.Invoke(ref view, entries, watch);
    }

    private static void LookAtEntry<TKey, TValue>(ref EntryView<TKey, TValue> view, object? value, ViewWatch watch)
        where TKey : IPackView<TKey>, allows ref struct
        where TValue : IPackView<TValue>, allows ref struct
    {
        watch.Same(view.IsNull, value is null);
        (object? key, object? held) = (PackingOrder.Part(value, 0), PackingOrder.Part(value, 1));
        (TKey? keyView, TValue? contentView) = view;
        Views<TKey>.Look(ref keyView, key, watch);
        Views<TValue>.Look(ref contentView, held, watch);
    }

    // Keys are looked up by what they are viewed as.
    private static class Finding<TKey, TValue>
        where TKey : IPackView<TKey>, allows ref struct
        where TValue : IPackView<TValue>, allows ref struct
    {
        public static readonly Look<MapView<TKey, TValue>>? Find
            = typeof(TKey) == typeof(StringView)
                ? (Look<MapView<TKey, TValue>>)Bind(nameof(FindTexts), typeof(MapView<TKey, TValue>), typeof(TValue))
            : typeof(TKey).IsGenericType && typeof(TKey).GetGenericTypeDefinition() == typeof(ValueView<>)
                ? (Look<MapView<TKey, TValue>>)Bind(
                    nameof(FindValues), typeof(MapView<TKey, TValue>), typeof(TKey).GetGenericArguments()[0], typeof(TValue))
            : null;
    }

    private static void FindTexts<TValue>(ref MapView<StringView, TValue> view, object? value, ViewWatch watch)
        where TValue : IPackView<TValue>, allows ref struct
    {
        watch.Same(view.TryGetValue("no such key", out _), false);
        foreach (object? entry in value as IReadOnlyList<object?> ?? [])
        {
            string key = (string)PackingOrder.Part(entry, 0)!;
            watch.Same(view.TryGetValue(key, out TValue? found), true);
            watch.Again(ref found, PackingOrder.Part(entry, 1));
            watch.Same(view.TryGetValue(System.Text.Encoding.UTF8.GetBytes(key), out found), true);
            watch.Again(ref found, PackingOrder.Part(entry, 1));
        }
    }

    private static void FindValues<V, TValue>(ref MapView<ValueView<V>, TValue> view, object? value, ViewWatch watch)
        where V : unmanaged
        where TValue : IPackView<TValue>, allows ref struct
    {
        if (!watch.Compares)
        {
            _ = view.TryGetValue(default(V), out _);
        }

        foreach (object? entry in value as IReadOnlyList<object?> ?? [])
        {
            watch.Same(view.TryGetValue((V)PackingOrder.Part(entry, 0)!, out TValue? found), true);
            watch.Again(ref found, PackingOrder.Part(entry, 1));
        }
    }

    private static Delegate MakeTuple(Type view)
    {
        IEnumerable<Delegate> parts = view.GetProperties().Where(property => property.Name != "IsNull")
            .Select((property, index) => (Delegate)Method(nameof(Part), view, property.PropertyType).Invoke(null, [property, index])!);
        return (Delegate)Method(nameof(Tuple), view).Invoke(null, [parts.ToArray()])!;
    }

    private static Look<TView> Tuple<TView>(Delegate[] parts)
        where TView : allows ref struct
    {
        ViewGetter<TView, bool> isNull = Getter<TView, bool>("IsNull");
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            watch.Same(isNull(ref view), value is null);
            foreach (Look<TView> part in parts)
            {
                part(ref view, value, watch);
            }
        };
    }

    private static Look<TView> Part<TView, TPart>(PropertyInfo property, int index)
        where TView : allows ref struct
        where TPart : allows ref struct
    {
        ViewGetter<TView, TPart> get = Getter<TView, TPart>(property.Name);
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            TPart? part = get(ref view);
            Views<TPart>.Look(ref part, PackingOrder.Part(value, index), watch);
        };
    }

    private static void LookAtGrid<TRank, TItem>(ref GridView<TRank, TItem> view, object? value, ViewWatch watch)
        where TRank : IGridRank
        where TItem : IPackView<TItem>, allows ref struct
    {
        var grid = value as Array;
        IReadOnlyList<object?>? items = PackingOrder.Items(value);
        watch.Same(view.IsNull, grid is null);
        watch.Same(view.Count, grid?.Length ?? 0);
        for (int dimension = 0; dimension < view.Rank; dimension++)
        {
            watch.Same(view.GetLength(dimension), grid?.GetLength(dimension) ?? 0);
        }

        int index = 0;
        foreach (TItem item in view)
        {
            TItem element = item;
            Views<TItem>.Look(ref element, items?[index++], watch);
        }

        LookByIndex(ref view, grid, watch);
        AsSpan<TRank, TItem>.Look?.Invoke(ref view, value, watch);
    }

    // Bytes that were changed may have many elements: the last one has all others in front of it.
    private static void LookByIndex<TRank, TItem>(ref GridView<TRank, TItem> view, Array? grid, ViewWatch watch)
        where TRank : IGridRank
        where TItem : IPackView<TItem>, allows ref struct
    {
        int[] indices = new int[view.Rank];
        for (int index = watch.Compares ? 0 : Math.Max(0, view.Count - 1); index < view.Count; index++)
        {
            for ((int dimension, int left) = (view.Rank - 1, index); dimension >= 0; left /= view.GetLength(dimension--))
            {
                indices[dimension] = left % view.GetLength(dimension);
            }

            TItem element = view[indices];
            watch.Again(ref element, grid?.GetValue(indices));
        }
    }

    // Elements of fixed size are a sequence too.
    private static class AsSpan<TRank, TItem>
        where TRank : IGridRank
        where TItem : IPackView<TItem>, allows ref struct
    {
        public static readonly Look<GridView<TRank, TItem>>? Look
            = !typeof(TItem).IsGenericType ? null
            : typeof(TItem).GetGenericTypeDefinition() == typeof(ValueView<>) ? Of(nameof(LookAtGridAsSpan))
            : typeof(TItem).GetGenericTypeDefinition() == typeof(NullableValueView<>) ? Of(nameof(LookAtGridAsNullables))
            : null;

        private static Look<GridView<TRank, TItem>> Of(string method)
            => (Look<GridView<TRank, TItem>>)Bind(
                method, typeof(GridView<TRank, TItem>), typeof(TRank), typeof(TItem).GetGenericArguments()[0]);
    }

    private static void LookAtGridAsSpan<TRank, V>(ref GridView<TRank, ValueView<V>> view, object? value, ViewWatch watch)
        where TRank : IGridRank
        where V : unmanaged
    {
        SpanView<V> span = view.AsSpanView();
        LookAtSpan(ref span, value, watch);
    }

    private static void LookAtGridAsNullables<TRank, V>(ref GridView<TRank, NullableValueView<V>> view, object? value, ViewWatch watch)
        where TRank : IGridRank
        where V : unmanaged
    {
        NullableSpanView<V> span = view.AsSpanView();
        LookAtNullables(ref span, value, watch);
    }

    private static bool IsBlittable<V>()
        => typeof(V) != typeof(bool) && typeof(V) != typeof(decimal) && typeof(V) != typeof(DateTime) && typeof(V) != typeof(DateTimeOffset)
        && typeof(V) != typeof(DateOnly) && typeof(V) != typeof(TimeOnly) && typeof(V) != typeof(System.Text.Rune);
}
