namespace BlitQueue;

/// <summary>Selects the constructor that unpacking calls. Its parameters match members by name.</summary>
/// <example>
/// <code>
/// [QueueMessage]
/// public partial class Price
/// {
///     public Price() : this(0, "EUR") { }
///
///     [PackConstructor]
///     public Price(decimal amount, string currency) => (Amount, Currency) = (amount, currency);
///
///     public decimal Amount { get; }
///
///     public string Currency { get; }
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Constructor, Inherited = false)]
public sealed class PackConstructorAttribute : Attribute;
