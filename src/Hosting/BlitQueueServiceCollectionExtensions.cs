using System.Diagnostics.CodeAnalysis;
using BlitQueue;
using BlitQueue.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds queues and their consumers to a host.</summary>
public static class BlitQueueServiceCollectionExtensions
{
    /// <summary>
    /// Adds a queue: one <see cref="MappedQueue{T}"/> for the whole host, opened before any hosted service starts and disposed with the
    /// container. It is a keyed singleton under its name (<c>[FromKeyedServices("orders")]</c>); the first queue of a message type is a
    /// singleton without a key, too.
    /// </summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <param name="services">The host's services.</param>
    /// <param name="name">
    /// The queue's name in this host: of its configuration section <c>BlitQueue:&lt;name&gt;</c>, its connection string and its key.
    /// </param>
    /// <param name="configure">Changes what the configuration says.</param>
    /// <returns>Adds consumers.</returns>
    /// <remarks>
    /// The host's start throws <see cref="OptionsValidationException"/> if the configuration cannot be used, and the exceptions of
    /// <see cref="MappedQueue{T}.Open"/> if the directory cannot be used.
    /// </remarks>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    /// <exception cref="InvalidOperationException">The name is that of a queue of another message type.</exception>
    /// <example>
    /// <code>
    /// builder.Services.AddBlitQueue&lt;Order&gt;("orders", options => options.Path = "/var/lib/shop/orders")
    ///     .AddConsumer&lt;Billing&gt;(configure: options => options.Concurrency = 4);
    /// </code>
    /// </example>
    public static BlitQueueBuilder<T> AddBlitQueue<T>(
        this IServiceCollection services, string name, Action<BlitQueueOptions>? configure = null)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        if (Find(services, name) is not { } known)
        {
            Register<T>(services, name);
        }
        else if (known.MessageType != typeof(T))
        {
            throw new InvalidOperationException(
                $"The queue '{name}' was added with messages of type {known.MessageType}, and now with {typeof(T)}. Give one of them "
                + "another name.");
        }
        if (configure is not null)
        {
            services.Configure(name, configure);
        }
        return new BlitQueueBuilder<T>(services, name);
    }

    /// <summary>
    /// Makes the host consume from a subscription of a queue that was added before, with a new scope and a new handler for each message.
    /// </summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <typeparam name="THandler">Handles a message; added as a scoped service where it is none yet.</typeparam>
    /// <param name="services">The host's services.</param>
    /// <param name="queue">The queue's name.</param>
    /// <param name="subscription">The subscription; made where it does not exist.</param>
    /// <param name="configure">Changes what the configuration says.</param>
    /// <returns>The host's services.</returns>
    /// <exception cref="InvalidOperationException">
    /// There is no queue of this name and message type, or the subscription has a consumer in this host already.
    /// </exception>
    public static IServiceCollection AddBlitQueueConsumer<
        T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        this IServiceCollection services, string queue, string subscription = "default", Action<BlitQueueConsumerOptions>? configure = null)
        where T : IPackable<T>
        where THandler : class, IQueueHandler<T>
        => AddConsumer<T, THandler>(
            services, queue, subscription, configure, static (scopes, queue) => new SingleCall<T, THandler>(scopes, queue));

    /// <summary>
    /// Makes the host consume from a subscription of a queue that was added before, with a new scope and a new handler for each batch.
    /// </summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <typeparam name="THandler">Handles a batch; added as a scoped service where it is none yet.</typeparam>
    /// <inheritdoc cref="AddBlitQueueConsumer" path="//param|//returns|//exception"/>
    public static IServiceCollection AddBlitQueueBatchConsumer<
        T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        this IServiceCollection services, string queue, string subscription = "default", Action<BlitQueueConsumerOptions>? configure = null)
        where T : IPackable<T>
        where THandler : class, IQueueBatchHandler<T>
        => AddConsumer<T, THandler>(
            services, queue, subscription, configure, static (scopes, queue) => new BatchCall<T, THandler>(scopes, queue));

    private static void Register<T>(IServiceCollection services, string name)
        where T : IPackable<T>
    {
        services.AddLogging();
        services.AddOptions<BlitQueueOptions>(name).ValidateOnStart();
        services.AddSingleton<IConfigureOptions<BlitQueueOptions>>(
            host => new QueueConfiguration(name, host.GetService<IConfiguration>()));
        services.AddSingleton<IValidateOptions<BlitQueueOptions>>(new QueueConfiguration(name, configuration: null));
        services.AddKeyedSingleton(name, (host, _) => QueueOpening.Open<T>(host, name));
        services.TryAddSingleton(host => host.GetRequiredKeyedService<MappedQueue<T>>(name));
        services.TryAddSingleton<ConsumerStates>();
        services.AddSingleton(new QueueRegistration(
            name, typeof(T), host => host.GetRequiredKeyedService<MappedQueue<T>>(name),
            host => host.GetRequiredKeyedService<MappedQueue<T>>(name).GetStatus()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, QueueStartup>());
    }

    private static IServiceCollection AddConsumer<
        T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        IServiceCollection services, string queue, string subscription, Action<BlitQueueConsumerOptions>? configure,
        Func<IServiceScopeFactory, string, IHandlerCall<T>> call)
        where T : IPackable<T>
        where THandler : class
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrWhiteSpace(subscription);
        if (Find(services, queue) is not { } known || known.MessageType != typeof(T))
        {
            throw new InvalidOperationException(
                $"There is no queue '{queue}' with messages of type {typeof(T)}: call AddBlitQueue<{typeof(T).Name}>(\"{queue}\") first.");
        }
        if (!known.Consumers.Add(subscription))
        {
            throw new InvalidOperationException(
                $"The subscription '{subscription}' of the queue '{queue}' has a consumer in this host already. Set its Concurrency, or "
                + "name another subscription, which sees every message, too.");
        }
        string name = ConsumerConfiguration.NameOf(queue, subscription);
        services.AddOptions<BlitQueueConsumerOptions>(name).ValidateOnStart();
        services.AddSingleton<IConfigureOptions<BlitQueueConsumerOptions>>(
            host => new ConsumerConfiguration(queue, subscription, host.GetService<IConfiguration>()));
        services.AddSingleton<IValidateOptions<BlitQueueConsumerOptions>>(
            new ConsumerConfiguration(queue, subscription, configuration: null));
        if (configure is not null)
        {
            services.Configure(name, configure);
        }
        services.AddSingleton<IHostedService>(host => new ConsumerService<T>(
            () => host.GetRequiredKeyedService<MappedQueue<T>>(queue), queue, subscription,
            call(host.GetRequiredService<IServiceScopeFactory>(), queue),
            () => host.GetRequiredService<IOptionsMonitor<BlitQueueConsumerOptions>>().Get(name),
            host.GetRequiredService<IOptions<HostOptions>>().Value, host.GetRequiredService<ConsumerStates>(),
            host.GetRequiredService<ILoggerFactory>().CreateLogger(ConsumerService<T>.Category)));
        services.TryAddScoped<THandler>();
        return services;
    }

    private static QueueRegistration? Find(IServiceCollection services, string name) =>
        services.Where(static one => !one.IsKeyedService).Select(static one => one.ImplementationInstance).OfType<QueueRegistration>()
            .FirstOrDefault(one => one.Name == name);
}
