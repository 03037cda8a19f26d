using System.ComponentModel;

namespace BlitQueue;

/// <summary>For generated code: makes the groups and lookups that were read.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class Grouping
{
    /// <summary>A group.</summary>
    /// <typeparam name="K">The key's type.</typeparam>
    /// <typeparam name="V">The elements' type.</typeparam>
    /// <param name="key">Its key.</param>
    /// <param name="items">Its elements; null counts as none.</param>
    /// <returns>The group.</returns>
    public static IGrouping<K, V> Of<K, V>(K key, IEnumerable<V>? items) => new UnpackedGroup<K, V>(key, items is null ? [] : [.. items]);

    /// <summary>A lookup of groups, in their order.</summary>
    /// <typeparam name="K">The keys' type.</typeparam>
    /// <typeparam name="V">The elements' type.</typeparam>
    /// <param name="reader">The reader, right behind the groups.</param>
    /// <param name="groups">The groups.</param>
    /// <returns>The lookup.</returns>
    /// <exception cref="PackException">A group is null, or its key came before.</exception>
    public static ILookup<K, V> ToLookup<K, V>(scoped in PackReader reader, IGrouping<K, V>?[] groups)
    {
        var lookup = new UnpackedLookup<K, V>(groups.Length);
        foreach (var group in groups)
        {
            if (group is null)
                PackException.ThrowObject(reader.Position, "ILookup");
            if (!lookup.TryAdd(group))
                PackException.ThrowDuplicateKey(reader.Position);
        }

        return lookup;
    }
}
