using BlitQueue.Views;

namespace BlitQueue;

/// <summary>
/// Finds keys in packed dictionaries, by going through all entries. Comparers are not packed, so keys are compared by their default
/// equality.
/// </summary>
/// <remarks>Of a key that occurs more than once the last value is found, as unpacking does.</remarks>
/// <example>
/// <code>
/// if (order.Prices.TryGetValue("X-1"u8, out var price)) total += price;
/// </code>
/// </example>
public static class MapViewExtensions
{
    /// <summary>Finds the value of a key.</summary>
    /// <param name="map">The dictionary.</param>
    /// <param name="key">The key; null is none.</param>
    /// <param name="value">The value's view; a null view if there is no such key.</param>
    /// <returns>Whether there is such a key.</returns>
    /// <exception cref="PackException">An entry is not wholly here, or cannot be what the views read.</exception>
    public static bool TryGetValue<TValue>(this MapView<StringView, TValue> map, string? key, out TValue value)
        where TValue : IPackView<TValue>, allows ref struct
    {
        bool isFound = false;
        value = TValue.Of(default);
        foreach (EntryView<StringView, TValue> entry in map)
        {
            if (key is null || !entry.Key.Equals(key))
            {
                continue;
            }

            value = entry.Value;
            isFound = true;
        }

        return isFound;
    }

    /// <summary>Finds the value of a key.</summary>
    /// <param name="map">The dictionary.</param>
    /// <param name="utf8">The key as UTF-8, such as <c>"X-1"u8</c>.</param>
    /// <param name="value">The value's view; a null view if there is no such key.</param>
    /// <returns>Whether there is such a key.</returns>
    /// <exception cref="PackException">An entry is not wholly here, or cannot be what the views read.</exception>
    public static bool TryGetValue<TValue>(this MapView<StringView, TValue> map, ReadOnlySpan<byte> utf8, out TValue value)
        where TValue : IPackView<TValue>, allows ref struct
    {
        bool isFound = false;
        value = TValue.Of(default);
        foreach (EntryView<StringView, TValue> entry in map)
        {
            if (!entry.Key.Equals(utf8))
            {
                continue;
            }

            value = entry.Value;
            isFound = true;
        }

        return isFound;
    }

    /// <summary>Finds the value of a key.</summary>
    /// <param name="map">The dictionary.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value's view; a null view if there is no such key.</param>
    /// <returns>Whether there is such a key.</returns>
    /// <exception cref="PackException">An entry is not wholly here, or cannot be what the views read.</exception>
    public static bool TryGetValue<V, TValue>(this MapView<ValueView<V>, TValue> map, V key, out TValue value)
        where V : unmanaged
        where TValue : IPackView<TValue>, allows ref struct
    {
        bool isFound = false;
        value = TValue.Of(default);
        foreach (EntryView<ValueView<V>, TValue> entry in map)
        {
            if (!EqualityComparer<V>.Default.Equals(entry.Key.Value, key))
            {
                continue;
            }

            value = entry.Value;
            isFound = true;
        }

        return isFound;
    }
}
