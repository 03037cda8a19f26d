namespace BlitQueue;

/// <summary>
/// Makes a partial interface a service of calls: its client and its server are generated into it, as <c>Client</c> and <c>Server</c>. Each
/// method has a channel of its own, named like the service's and the method.
/// </summary>
/// <remarks>
/// A method returns a <c>ValueTask</c> of a message, a <c>ValueTask</c>, or an <c>IAsyncEnumerable</c> of messages; it takes one message or
/// none, and a <c>CancellationToken</c> behind it if it wants one.
/// </remarks>
/// <example>
/// <code>
/// [QueueService]
/// public partial interface IPricing
/// {
///     ValueTask&lt;Quote&gt; GetQuote(Symbol symbol, CancellationToken cancellationToken = default);
/// }
///
/// using var server = IPricing.Server.Open("pricing", new Pricing());
/// await server.ServeAsync(stopping);
///
/// using var pricing = IPricing.Client.Open("pricing");
/// Quote quote = await pricing.GetQuote(new Symbol { Name = "ACME" });
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Interface, Inherited = false)]
public sealed class QueueServiceAttribute : Attribute;
