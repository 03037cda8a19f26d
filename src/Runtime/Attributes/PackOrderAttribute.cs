namespace BlitQueue;

/// <summary>
/// Sets a member's position in the packed order; with <see cref="PackLayout.VersionTolerant"/> the number identifies the member for ever.
/// </summary>
/// <param name="order">
/// 0 or more, with <see cref="PackLayout.VersionTolerant"/> at most 65533; gaps are allowed, the same number twice is not.
/// </param>
/// <example>
/// <code>
/// [QueueMessage(Layout = PackLayout.VersionTolerant)]
/// public partial class Order
/// {
///     [PackOrder(0)] public long Id { get; set; }
///
///     [PackOrder(2)] public string? Customer { get; set; }      // 1 was a member that is gone
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field, Inherited = false)]
public sealed class PackOrderAttribute(int order) : Attribute
{
    /// <summary>The member's number, 0 or more.</summary>
    public int Order { get; } = order;
}
