using System.Buffers;

namespace BlitQueue.Segments;

/// <summary>Which names a subscription can have: they are parts of file names on every system.</summary>
internal static class SubscriptionName
{
    private const int Longest = 100;

    private static readonly SearchValues<char> Allowed =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

    /// <exception cref="ArgumentException">The name has other characters, is empty, or too long.</exception>
    public static void Check(string name, string whose = "a subscription's")
    {
        ArgumentNullException.ThrowIfNull(name);
        if (name.Length is 0 or > Longest || name.AsSpan().ContainsAnyExcept(Allowed)
            || name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.OrdinalIgnoreCase))
        {
            throw new ArgumentException(
                $"'{name}' cannot be {whose} name: 1 to {Longest} letters, digits, '-', '_' and '.' of ASCII, not ending with "
                + $"'{StoreFormat.UnfinishedSuffix}'.", nameof(name));
        }
    }
}
