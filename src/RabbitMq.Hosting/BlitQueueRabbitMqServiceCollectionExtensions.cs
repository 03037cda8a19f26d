using System.Diagnostics.CodeAnalysis;
using BlitQueue;
using BlitQueue.Hosting;
using BlitQueue.RabbitMq;
using BlitQueue.RabbitMq.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds what sends a queue's messages through a RabbitMQ broker, and what receives them, to a host.</summary>
public static class BlitQueueRabbitMqServiceCollectionExtensions
{
    /// <summary>
    /// Makes the host forward a subscription of a queue that was added before. The <see cref="Forwarder{T}"/> is a keyed singleton under
    /// the queue's name, <c>/</c> and the subscription's: <c>orders/default</c>.
    /// </summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <param name="services">The host's services.</param>
    /// <param name="queue">The queue's name.</param>
    /// <param name="configure">
    /// Changes what the configuration says: the connection string <c>rabbitmq</c>, then the section
    /// <c>BlitQueue:&lt;queue&gt;:Forwarders:&lt;subscription&gt;</c>.
    /// </param>
    /// <param name="subscription">The subscription whose messages are forwarded; made where it does not exist.</param>
    /// <returns>The host's services.</returns>
    /// <remarks>
    /// The host's start throws <see cref="OptionsValidationException"/> if the options cannot be used. A <see cref="BodyFormat{T}"/> that
    /// is a keyed service under the queue's name writes the bodies; without one they are packed.
    /// </remarks>
    /// <exception cref="ArgumentException">A name is empty.</exception>
    /// <exception cref="InvalidOperationException">
    /// There is no queue of this name and message type, or the subscription has a forwarder in this host already.
    /// </exception>
    /// <example>
    /// <code>
    /// builder.Services.AddForwarder&lt;Order&gt;("orders", options => options.RoutingKey = "orders");
    /// </code>
    /// </example>
    public static IServiceCollection AddForwarder<T>(
        this IServiceCollection services, string queue, Action<ForwarderOptions>? configure = null, string subscription = "default")
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrWhiteSpace(subscription);
        string name = BridgeRegistration.NameOf(queue, subscription), section = $"BlitQueue:{queue}:Forwarders:{subscription}";
        Require<T>(services, BridgeKinds.Forwarder, queue, subscription);
        services.AddSingleton<IConfigureOptions<ForwarderOptions>>(host => new BridgeConfiguration<ForwarderOptions>(
            name, section, ForwarderKeys.All, static options => options.Broker, host.GetService<IConfiguration>()));
        AddOptions(services, name, configure);
        services.AddKeyedSingleton(name, (host, _) =>
        {
            ForwarderOptions options = host.GetRequiredService<IOptionsMonitor<ForwarderOptions>>().Get(name);
            options.Subscription = subscription;
            return new Forwarder<T>(
                host.GetRequiredKeyedService<MappedQueue<T>>(queue), options, host.GetKeyedService<BodyFormat<T>>(queue));
        });
        Add(services, new BridgeRegistration(BridgeKinds.Forwarder, queue, subscription, section, host =>
        {
            Forwarder<T> forwarder = host.GetRequiredKeyedService<Forwarder<T>>(name);
            Subscribe(host.GetRequiredKeyedService<MappedQueue<T>>(queue), subscription);
            return forwarder;
        }));
        return services;
    }

    /// <summary>
    /// Makes the host receive a queue of the broker into a queue that was added before. The <see cref="Receiver{T}"/> and its
    /// <see cref="MappedStore"/>, the directory above the queue's own, are keyed singletons under the queue's name.
    /// </summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <param name="services">The host's services.</param>
    /// <param name="queue">The queue's name.</param>
    /// <param name="configure">
    /// Changes what the configuration says: the connection string <c>rabbitmq</c>, then the section
    /// <c>BlitQueue:&lt;queue&gt;:Receiver</c>.
    /// </param>
    /// <returns>The host's services.</returns>
    /// <remarks>
    /// The host's start throws <see cref="OptionsValidationException"/> if the options cannot be used. A <see cref="BodyFormat{T}"/> that
    /// is a keyed service under the queue's name reads the bodies that are not packed.
    /// </remarks>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    /// <exception cref="InvalidOperationException">
    /// There is no queue of this name and message type, or it has a receiver in this host already.
    /// </exception>
    public static IServiceCollection AddReceiver<T>(
        this IServiceCollection services, string queue, Action<ReceiverOptions>? configure = null)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(services);
        string section = $"BlitQueue:{queue}:Receiver";
        Require<T>(services, BridgeKinds.Receiver, queue, "");
        services.AddSingleton<IConfigureOptions<ReceiverOptions>>(host => new BridgeConfiguration<ReceiverOptions>(
            queue, section, ReceiverKeys.All, static options => options.Broker, host.GetService<IConfiguration>()));
        AddOptions(services, queue, configure);
        services.AddKeyedSingleton(queue, (host, _) => MappedStore.Open(
            Path.GetDirectoryName(host.GetRequiredKeyedService<MappedQueue<T>>(queue).Path)!,
            LocalQueue.StoreOptionsOf(OptionsOf(host, queue))));
        services.AddKeyedSingleton(queue, (host, _) => new Receiver<T>(
            host.GetRequiredKeyedService<MappedStore>(queue), Path.GetFileName(host.GetRequiredKeyedService<MappedQueue<T>>(queue).Path),
            host.GetRequiredService<IOptionsMonitor<ReceiverOptions>>().Get(queue), LocalQueue.OptionsOf(OptionsOf(host, queue)),
            host.GetKeyedService<BodyFormat<T>>(queue)));
        Add(services, new BridgeRegistration(
            BridgeKinds.Receiver, queue, "", section, host => host.GetRequiredKeyedService<Receiver<T>>(queue)));
        return services;
    }

    private static BlitQueueOptions OptionsOf(IServiceProvider host, string queue) =>
        host.GetRequiredService<IOptionsMonitor<BlitQueueOptions>>().Get(queue);

    private static void AddOptions<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] TOptions>(
        IServiceCollection services, string name, Action<TOptions>? configure)
        where TOptions : class
    {
        services.AddOptions<TOptions>(name).ValidateOnStart();
        if (configure is not null)
        {
            services.Configure(name, configure);
        }
    }

    private static void Add(IServiceCollection services, BridgeRegistration registration)
    {
        services.AddSingleton(registration);
        services.AddSingleton<IHostedService>(host => new BridgeService(
            registration, host, host.GetRequiredService<ILoggerFactory>().CreateLogger(BridgeService.Category)));
    }

    // From here on no message is missed; the forwarder subscribes again, when it is alone.
    private static void Subscribe<T>(MappedQueue<T> queue, string subscription)
        where T : IPackable<T>
    {
        if (queue.GetStatus().Subscriptions.All(one => one.Name != subscription))
        {
            queue.Subscribe(subscription).Dispose();
        }
    }

    private static void Require<T>(IServiceCollection services, string kind, string queue, string subscription)
        where T : IPackable<T>
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(queue);
        if (!services.Any(one => one.IsKeyedService && one.ServiceType == typeof(MappedQueue<T>) && Equals(one.ServiceKey, queue)))
        {
            throw new InvalidOperationException(
                $"There is no queue '{queue}' with messages of type {typeof(T)}: call AddBlitQueue<{typeof(T).Name}>(\"{queue}\") first.");
        }
        if (services.Where(static one => !one.IsKeyedService).Select(static one => one.ImplementationInstance).OfType<BridgeRegistration>()
            .Any(one => one.Kind == kind && one.Queue == queue && one.Subscription == subscription))
        {
            throw new InvalidOperationException(
                $"'{BridgeRegistration.NameOf(queue, subscription)}' has a {kind.ToLowerInvariant()} in this host already.");
        }
    }
}
