namespace BlitQueue;

/// <summary>Packs a member that is not public.</summary>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Order
/// {
///     [PackInclude]
///     private decimal _total;
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field, Inherited = false)]
public sealed class PackIncludeAttribute : Attribute;
