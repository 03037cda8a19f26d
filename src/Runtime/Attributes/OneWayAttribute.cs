namespace BlitQueue;

/// <summary>
/// On a method of a service that returns a <c>ValueTask</c>: the call ends when a server has taken it, and does not wait for its handler.
/// </summary>
/// <example>
/// <code>
/// [QueueService]
/// public partial interface IPricing
/// {
///     ValueTask&lt;Quote&gt; GetQuote(Symbol symbol, CancellationToken cancellationToken = default);
///
///     [OneWay] ValueTask Forget(Symbol symbol);
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class OneWayAttribute : Attribute;
