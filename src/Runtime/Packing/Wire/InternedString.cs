namespace BlitQueue;

/// <summary>
/// Packs a string that occurs in many messages with few different values, for <see cref="PackWithAttribute"/>: equal strings are unpacked
/// as one object.
/// </summary>
/// <remarks>
/// The bytes are those of any string in UTF-8, whatever the message's <see cref="StringEncoding"/>, so the attribute may be added and
/// removed later. Unlike <see cref="string.Intern"/> it interns nothing for ever: a table of 4096 slots has in each slot the last string of
/// up to 128 bytes with the slot's hash. Whatever the bytes contain, the table takes about 1 MiB at most, and a look-up one comparison; a
/// string that is not in the table is a new one.
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
    /// <summary>The most bytes, and so chars, of a string that is put into the table.</summary>
    internal const int MaxLength = 128;

    private const int Slots = 4096;

    // Any thread reads and writes the slots without a lock. A reference is stored whole, and after the object that it points to, so the
    // worst that can happen is that one of two strings is lost from the table.
    private static readonly string?[] Strings = new string?[Slots];

    private InternedString()
    {
    }

    /// <summary>Writes the string, or the null mark.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The string.</param>
    public static void Pack(ref PackWriter writer, scoped in string? value) => writer.WriteString(value);

    /// <summary>Reads the string: the equal one in the table, if there is one.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">Returned as it is if it is equal and the table has no equal string.</param>
    /// <exception cref="PackException">The bytes are no string.</exception>
    public static void Unpack(ref PackReader reader, scoped ref string? value) => value = reader.ReadInterned(value);

    /// <summary>
    /// The slot of a string with these bytes. Each process has another hash function; an attacker who finds collisions only makes the table
    /// useless.
    /// </summary>
    internal static ref string? SlotOf(ReadOnlySpan<byte> bytes)
    {
        var hash = default(HashCode);
        hash.AddBytes(bytes);
        return ref Strings[hash.ToHashCode() & (Slots - 1)];
    }
}
