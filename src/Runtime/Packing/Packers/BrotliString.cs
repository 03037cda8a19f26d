namespace BlitQueue;

/// <summary>
/// Packs a <c>string</c> compressed with Brotli, for <see cref="PackWithAttribute"/>. It pays from some hundred bytes on.
/// </summary>
/// <remarks>
/// At most 16 MiB of UTF-8 are compressed, and a stream that announces more is not decompressed. A lone surrogate becomes U+FFFD. Memory is
/// allocated only for text that the stream contains. All compressed members of a message together may have 16 MiB of text before
/// compression (three times that for bytes), or more if the message's bytes warrant it (docs/SECURITY.md). A queue compresses into a
/// scratch buffer, so that other producers need not wait.
/// </remarks>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Page
/// {
///     [PackWith(typeof(BrotliString))] public string? Text { get; set; }
/// }
/// </code>
/// </example>
public sealed class BrotliString : IPacker<string>
{
    /// <summary>The most bytes of the text as UTF-8, before compression: 16 MiB.</summary>
    public const int MaxLength = 16 * 1024 * 1024;

    private BrotliString()
    {
    }

    /// <summary>
    /// Writes a variable: u32 number of bytes of the text as UTF-8, then the stream; nothing for none, the null mark for null.
    /// </summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The text.</param>
    /// <exception cref="PackException">The text would have more than <see cref="MaxLength"/> bytes.</exception>
    public static void Pack(ref PackWriter writer, scoped in string? value)
    {
        if (value is null)
        {
            writer.WriteNull();
        }
        else
        {
            writer.WriteBrotliString(value, MaxLength);
        }
    }

    /// <summary>Reads the text.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">A string that is returned as it is if it is equal.</param>
    /// <exception cref="PackException">
    /// The bytes are no such stream, or contain more than they announce or than <see cref="MaxLength"/>.
    /// </exception>
    public static void Unpack(ref PackReader reader, scoped ref string? value) => value = reader.ReadBrotliString(MaxLength, value);
}
