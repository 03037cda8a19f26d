namespace BlitQueue.Log;

/// <summary>
/// The names that a subscription, or a queue of a store, can have: they become parts of names of files or directories, on every system.
/// </summary>
internal static class QueueName
{
    /// <summary>The most characters; a store's file has room for so many.</summary>
    public const int Longest = 100;

    private static readonly SearchValues<char> Allowed =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

    /// <exception cref="ArgumentException">The name has other characters, is empty, too long, or begins or ends with a dot.</exception>
    public static void Check(string name)
    {
        if (!IsQueue(name))
        {
            throw new ArgumentException(
                $"'{name}' cannot be a queue's name in a store: 1 to {Longest} letters, digits, '-', '_' and '.' of ASCII, neither "
                + $"beginning nor ending with a dot, and not beginning with '{TransactionFormat.Prefix}', as the store's own files do.",
                nameof(name));
        }
    }

    /// <exception cref="ArgumentException">The name has other characters, is empty, or too long.</exception>
    public static void CheckSubscription(string name, string whose = "a subscription's")
    {
        if (!IsSubscription(name))
        {
            throw new ArgumentException(
                $"'{name}' cannot be {whose} name: 1 to {Longest} letters, digits, '-', '_' and '.' of ASCII, not ending with "
                + $"'{StoreFormat.UnfinishedSuffix}'.", nameof(name));
        }
    }

    /// <summary>Whether a queue of a store can have this name.</summary>
    public static bool IsQueue(string name) =>
        HasValidCharacters(name) && !name.StartsWith('.') && !name.EndsWith('.')
            && !name.StartsWith(TransactionFormat.Prefix, StringComparison.Ordinal);

    /// <summary>Whether a subscription can have this name.</summary>
    public static bool IsSubscription(string name)
        => HasValidCharacters(name) && !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.OrdinalIgnoreCase);

    private static bool HasValidCharacters(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.Length is > 0 and <= Longest && !name.AsSpan().ContainsAnyExcept(Allowed);
    }
}
