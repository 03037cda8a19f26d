using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace BlitQueue.Hosting;

/// <summary>Adds a check of something that has a queue's name, with options of its own.</summary>
internal static class HealthCheckAdding
{
    /// <exception cref="ArgumentException">The queue's name is empty.</exception>
    public static IHealthChecksBuilder Add<TOptions>(
        IHealthChecksBuilder builder, string queue, string name, Action<TOptions>? configure,
        Func<IServiceProvider, TOptions, IHealthCheck> check, HealthStatus? failureStatus, IEnumerable<string>? tags)
        where TOptions : new()
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrWhiteSpace(queue);
        var options = new TOptions();
        configure?.Invoke(options);
        return builder.Add(new HealthCheckRegistration(name, services => check(services, options), failureStatus, tags));
    }
}
