namespace BlitQueue;

/// <summary>
/// Packs a string in UTF-16, for <see cref="PackWithAttribute"/>, whatever the message's <see cref="StringEncoding"/>. Any text is copied
/// as it is, and lone surrogates survive.
/// </summary>
/// <remarks>Each string says which form it has, so the attribute may be added and removed later.</remarks>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Page
/// {
///     public string? Address { get; set; }                                          // UTF-8
///     [PackWith(typeof(Utf16String))] public string? Chinese { get; set; }
/// }
/// </code>
/// </example>
public sealed class Utf16String : IPacker<string>
{
    private Utf16String()
    {
    }

    /// <summary>Writes the string, or the null mark.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The string.</param>
    public static void Pack(ref PackWriter writer, scoped in string? value) => writer.WriteString(value, StringEncoding.Utf16);

    /// <summary>Reads the string in either form.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">A string that is returned as it is if it is equal.</param>
    /// <exception cref="PackException">The bytes are no string.</exception>
    public static void Unpack(ref PackReader reader, scoped ref string? value) => value = reader.ReadString(value);
}
