namespace BlitQueue;

/// <summary>Excludes a public member from packing.</summary>
/// <remarks>Unpacking leaves the member as it is: as a new instance has it, or as the instance that is filled had it before.</remarks>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Order
/// {
///     public int Id { get; set; }
///
///     [PackIgnore]
///     public string? Cached { get; set; }
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field, Inherited = false)]
public sealed class PackIgnoreAttribute : Attribute;
