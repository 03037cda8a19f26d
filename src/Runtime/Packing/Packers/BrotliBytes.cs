namespace BlitQueue;

/// <summary>
/// Packs a <c>byte[]</c> compressed with Brotli, for <see cref="PackWithAttribute"/>. It pays from some hundred bytes on.
/// </summary>
/// <remarks>
/// At most 32 MiB of bytes are compressed, and a stream that announces more is not decompressed. Memory is allocated only for bytes that
/// the stream contains. All compressed members of a message together may have 48 MiB before compression (a third of that for text), or 80
/// times the message's bytes if that is more. A queue compresses into a scratch buffer, so that other producers need not wait.
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

    /// <summary>Reads the bytes, into the given array if its length is right.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">The array to fill, or any other.</param>
    /// <exception cref="PackException">
    /// The bytes are no such stream, or contain more than they announce or than <see cref="MaxLength"/>.
    /// </exception>
    public static void Unpack(ref PackReader reader, scoped ref byte[]? value) => value = reader.ReadBrotli(MaxLength, value);
}
