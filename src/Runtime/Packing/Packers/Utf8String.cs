namespace BlitQueue;

/// <summary>
/// Packs a string in UTF-8, for <see cref="PackWithAttribute"/>, whatever the message's <see cref="StringEncoding"/>: the smaller form for
/// most text. A lone surrogate becomes U+FFFD.
/// </summary>
/// <remarks>Each string says which form it has, so the attribute may be added and removed later.</remarks>
/// <example>
/// <code>
/// [QueueMessage(Strings = StringEncoding.Utf16)]
/// public partial class Page
/// {
///     [PackWith(typeof(Utf8String))] public string? Address { get; set; }
///     public string? Chinese { get; set; }                                          // UTF-16
/// }
/// </code>
/// </example>
public sealed class Utf8String : IPacker<string>
{
    private Utf8String()
    {
    }

    /// <summary>Writes the string, or the null mark.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The string.</param>
    public static void Pack(ref PackWriter writer, scoped in string? value) => writer.WriteString(value);

    /// <summary>Reads the string in either form.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">A string that is returned as it is if it is equal.</param>
    /// <exception cref="PackException">The bytes are no string.</exception>
    public static void Unpack(ref PackReader reader, scoped ref string? value) => value = reader.ReadString(value);
}
