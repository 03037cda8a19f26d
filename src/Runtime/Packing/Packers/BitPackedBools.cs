namespace BlitQueue;

/// <summary>Packs a <c>bool[]</c> with eight values in each byte, for <see cref="PackWithAttribute"/>.</summary>
/// <remarks>
/// The bytes are those of a <see cref="System.Collections.BitArray"/>, so that a member may change from one to the other.
/// </remarks>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Week
/// {
///     [PackWith(typeof(BitPackedBools))] public bool[]? HoursOpen { get; set; }      // 168 values in 25 bytes
/// }
/// </code>
/// </example>
public sealed class BitPackedBools : IPacker<bool[]>
{
    private BitPackedBools()
    {
    }

    /// <summary>Writes a variable: u32 number of values, then a bit for each, the lowest of each byte first; or the null mark.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The values.</param>
    public static void Pack(ref PackWriter writer, scoped in bool[]? value)
    {
        if (value is null)
        {
            writer.WriteNull();
        }
        else
        {
            writer.WriteBits(value);
        }
    }

    /// <summary>Reads the values, into the given array if its length is right.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">The array to fill, or any other.</param>
    /// <exception cref="PackException">The number of values does not fit the bytes.</exception>
    public static void Unpack(ref PackReader reader, scoped ref bool[]? value) => value = reader.ReadBits(value);
}
