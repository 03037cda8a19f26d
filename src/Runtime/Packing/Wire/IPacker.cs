namespace BlitQueue;

/// <summary>Packs a type that is no message; named by <see cref="PackWithAttribute"/> on a member.</summary>
/// <remarks>
/// Values are read in the order they were written. Whatever a packer does, it cannot read past its own content or write outside
/// the writer's buffer.
/// </remarks>
/// <typeparam name="T">The type of the members it packs.</typeparam>
/// <example>
/// <code>
/// public sealed class VersionPacker : IPacker&lt;Version&gt;
/// {
///     public static void Pack(ref PackWriter writer, scoped in Version? value) => writer.WriteString(value?.ToString());
///
///     public static void Unpack(ref PackReader reader, scoped ref Version? value)
///         => value = reader.ReadString() is { } text ? Version.Parse(text) : null;
/// }
/// </code>
/// </example>
public interface IPacker<T>
{
    /// <summary>Writes the value.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The value; the packer itself must write null.</param>
    static abstract void Pack(ref PackWriter writer, scoped in T? value);

    /// <summary>Reads the value, into the given instance if that makes sense.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">The member's present value, to be replaced or filled.</param>
    static abstract void Unpack(ref PackReader reader, scoped ref T? value);
}
