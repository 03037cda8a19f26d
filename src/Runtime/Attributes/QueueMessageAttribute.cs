namespace BlitQueue;

/// <summary>Makes a partial type a message: the generator writes the code that packs and unpacks it.</summary>
/// <remarks>
/// Allowed on classes, structs, records and record structs, and on an interface or abstract class together with <see
/// cref="PackUnionAttribute"/>. The message packs public fields and properties that unpacking can set, those of base classes first.
/// </remarks>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Order
/// {
///     public long Id { get; set; }
///     public string? Customer { get; set; }
///     [PackIgnore] public object? Cache { get; set; }
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface, Inherited = false)]
public sealed class QueueMessageAttribute : Attribute
{
    /// <summary>
    /// How members are identified and whether references keep their identity. Default: <see cref="PackLayout.Sequential"/>.
    /// </summary>
    public PackLayout Layout { get; set; } = PackLayout.Sequential;

    /// <summary>
    /// How the strings of this message are written. Default: <see cref="StringEncoding.Utf8"/>. Reading understands both.
    /// </summary>
    public StringEncoding Strings { get; set; } = StringEncoding.Utf8;
}
