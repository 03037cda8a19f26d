using BlitQueue.Hosting;
using BlitQueue.RabbitMq.Hosting;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds the health checks of forwarders and receivers.</summary>
public static class BlitQueueRabbitMqHealthChecksBuilderExtensions
{
    /// <summary>Adds a check of a forwarder of the same host: whether it is connected, what stands in its way, how much waits.</summary>
    /// <param name="builder">The host's health checks.</param>
    /// <param name="queue">The queue's name.</param>
    /// <param name="configure">Sets limits.</param>
    /// <param name="subscription">The forwarder's subscription.</param>
    /// <param name="name">The check's name. Default: <c>Forwarder_</c> and the queue's name, <c>/</c>, the subscription's.</param>
    /// <param name="failureStatus">What is said instead of <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">To select checks by.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">A name is empty.</exception>
    /// <example>
    /// <code>
    /// builder.Services.AddHealthChecks().AddForwarder("orders", limits => limits.MaxLag = 10_000);
    /// </code>
    /// </example>
    public static IHealthChecksBuilder AddForwarder(
        this IHealthChecksBuilder builder, string queue, Action<BridgeHealthOptions>? configure = null, string subscription = "default",
        string? name = null, HealthStatus? failureStatus = null, IEnumerable<string>? tags = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(subscription);
        return Add(builder, BridgeKinds.Forwarder, queue, subscription, configure, name, failureStatus, tags);
    }

    /// <summary>Adds a check of a receiver of the same host: whether it is connected, what stands in its way or has stopped it.</summary>
    /// <param name="builder">The host's health checks.</param>
    /// <param name="queue">The local queue's name.</param>
    /// <param name="configure">Sets limits.</param>
    /// <param name="name">The check's name. Default: <c>Receiver_</c> and the queue's name.</param>
    /// <param name="failureStatus">What is said instead of <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">To select checks by.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">A name is empty.</exception>
    public static IHealthChecksBuilder AddReceiver(
        this IHealthChecksBuilder builder, string queue, Action<BridgeHealthOptions>? configure = null, string? name = null,
        HealthStatus? failureStatus = null, IEnumerable<string>? tags = null) =>
        Add(builder, BridgeKinds.Receiver, queue, "", configure, name, failureStatus, tags);

    private static IHealthChecksBuilder Add(
        IHealthChecksBuilder builder, string kind, string queue, string subscription, Action<BridgeHealthOptions>? configure, string? name,
        HealthStatus? failureStatus, IEnumerable<string>? tags) => HealthCheckAdding.Add(
            builder, queue, name ?? $"{kind}_{BridgeRegistration.NameOf(queue, subscription)}", configure,
            (services, options) => new BridgeHealthCheck(Find(services, kind, queue, subscription), options), failureStatus, tags);

    private static BridgeRegistration Find(IServiceProvider services, string kind, string queue, string subscription) =>
        services.GetServices<BridgeRegistration>()
            .FirstOrDefault(one => one.Kind == kind && one.Queue == queue && one.Subscription == subscription)
        ?? throw new InvalidOperationException(
            $"There is no {kind.ToLowerInvariant()} of '{BridgeRegistration.NameOf(queue, subscription)}' in this host: call Add{kind}.");
}
