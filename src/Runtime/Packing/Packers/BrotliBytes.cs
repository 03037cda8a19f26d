namespace BlitQueue;

/// <summary>
/// Packs a <c>byte[]</c> compressed with Brotli, for <see cref="PackWithAttribute"/>: worth its time from some hundred bytes on.
/// </summary>
/// <remarks>
/// At most 32 MiB of bytes are compressed, and no stream that says it holds more is decompressed. Nothing is allocated for what the stream
/// does not hold. All compressed members of a message together may have 48 MiB before compression, of text a third of that, or 80 times the
/// message's bytes where that is more. A queue compresses into a scratch buffer, so that others need not wait.
/// </remarks>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Page
/// {
///     [PackWith(typeof(BrotliBytes))] public byte[]? Body { get; set; }
/// }
/// </code>
/// </example>
public sealed class BrotliBytes : IPacker<byte[]>
{
    /// <summary>The most bytes, before compression: 32 MiB.</summary>
    public const int MaxLength = 32 * 1024 * 1024;

    private BrotliBytes()
    {
    }

    /// <summary>Writes a variable: u32 number of bytes, then the stream; nothing for none, the null mark for null.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The bytes.</param>
    /// <exception cref="PackException">The bytes would have more than <see cref="MaxLength"/> bytes.</exception>
    public static void Pack(ref PackWriter writer, scoped in byte[]? value)
    {
        if (value is null)
        {
            writer.WriteNull();
        }
        else
        {
            writer.WriteBrotli(value, MaxLength);
        }
    }

    /// <summary>Reads the bytes, into the array given where its length is right.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">The array to fill, or any other.</param>
    /// <exception cref="PackException">
    /// The bytes are no such stream, or hold more than they say or than <see cref="MaxLength"/>.
    /// </exception>
    public static void Unpack(ref PackReader reader, scoped ref byte[]? value) => value = reader.ReadBrotli(MaxLength, value);
}
