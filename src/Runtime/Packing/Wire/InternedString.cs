namespace BlitQueue;

/// <summary>
/// Packs a string that has few values and stands in many messages, for <see cref="PackWithAttribute"/>:
/// equal ones are unpacked as one object.
/// </summary>
/// <remarks>
/// The bytes are those of any string in UTF-8, whatever the message's <see cref="StringEncoding"/>, so the attribute may come and go.
/// Nothing is interned for ever, as <see cref="string.Intern"/> does it: a table of 4096 places keeps the last string of up to 128 bytes
/// that fell on each. Whatever the bytes hold, it takes no more than about 1 MiB and one comparison; what it does not hold is simply a new
/// string.
/// </remarks>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Reading
/// {
///     [PackWith(typeof(InternedString))] public string? Sensor { get; set; }
///     [PackWith(typeof(InternedString))] public List&lt;string&gt;? Tags { get; set; }      // each of them
/// }
/// </code>
/// </example>
public sealed class InternedString : IPacker<string>
{
    /// <summary>The most bytes, and so chars, of a string that is kept.</summary>
    internal const int MaxLength = 128;

    private const int Slots = 4096;

    // Any thread reads and writes its places without a lock. A reference is stored whole and after what it points to, so the worst that can
    // happen is that one of two strings is forgotten.
    private static readonly string?[] Strings = new string?[Slots];

    private InternedString()
    {
    }

    /// <summary>Writes the string, or the null mark.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The string.</param>
    public static void Pack(ref PackWriter writer, scoped in string? value) => writer.WriteString(value);

    /// <summary>Reads the string: the one that is known already, where there is such a one.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">A string that comes back as it is if it is equal and none is known.</param>
    /// <exception cref="PackException">The bytes are no string.</exception>
    public static void Unpack(ref PackReader reader, scoped ref string? value) => value = reader.ReadInterned(value);

    /// <summary>The place of a string with these bytes. Each process has another hash; to defeat it only makes the table useless.</summary>
    internal static ref string? SlotOf(ReadOnlySpan<byte> bytes)
    {
        var hash = default(HashCode);
        hash.AddBytes(bytes);
        return ref Strings[hash.ToHashCode() & (Slots - 1)];
    }
}
