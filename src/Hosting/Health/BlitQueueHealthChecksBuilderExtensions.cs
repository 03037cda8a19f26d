using BlitQueue.Hosting;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds the health checks of queues.</summary>
public static class BlitQueueHealthChecksBuilderExtensions
{
    /// <summary>Adds a check of a queue that is added to the same host: how much waits, how long, and whether it works at all.</summary>
    /// <param name="builder">The host's health checks.</param>
    /// <param name="queue">The queue's name.</param>
    /// <param name="configure">Sets limits; without them only a queue or a consumer that does not work is unhealthy.</param>
    /// <param name="name">The check's name. Default: <c>BlitQueue_</c> and the queue's name.</param>
    /// <param name="failureStatus">What is said in place of <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">To select checks by.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">The queue's name is empty.</exception>
    /// <example>
    /// <code>
    /// builder.Services.AddHealthChecks()
    ///     .AddBlitQueue("orders", limits => { limits.MaxLag = 10_000; limits.MinFreeDisk = 1L &lt;&lt; 30; });
    /// </code>
    /// </example>
    public static IHealthChecksBuilder AddBlitQueue(
        this IHealthChecksBuilder builder, string queue, Action<BlitQueueHealthOptions>? configure = null, string? name = null,
        HealthStatus? failureStatus = null, IEnumerable<string>? tags = null) => HealthCheckAdding.Add(
            builder, queue, name ?? $"BlitQueue_{queue}", configure,
            (services, options) =>
                new QueueHealthCheck(services, Find(services, queue), options, services.GetRequiredService<ConsumerStates>()),
            failureStatus, tags);

    private static QueueRegistration Find(IServiceProvider services, string queue) =>
        services.GetServices<QueueRegistration>().FirstOrDefault(one => one.Name == queue)
            ?? throw new InvalidOperationException($"There is no queue '{queue}' in this host: call AddBlitQueue<T>(\"{queue}\").");
}
