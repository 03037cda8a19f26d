using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;

namespace BlitQueue.Hosting;

/// <summary>A queue that was added to a host: adds its consumers.</summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <example>
/// <code>
/// builder.Services.AddBlitQueue&lt;Order&gt;("orders", options => options.CreateDefaultSubscription = false)
///     .AddConsumer&lt;Billing&gt;("billing")
///     .AddBatchConsumer&lt;Audit&gt;("audit", options => options.BatchSize = 100);
/// </code>
/// </example>
public sealed class BlitQueueBuilder<T>
    where T : IPackable<T>
{
    internal BlitQueueBuilder(IServiceCollection services, string name)
    {
        Services = services;
        Name = name;
    }

    /// <summary>The host's services.</summary>
    public IServiceCollection Services { get; }

    /// <summary>The queue's name.</summary>
    public string Name { get; }

    /// <summary>Makes the host consume from a subscription, with a new scope and a new handler for each message.</summary>
    /// <typeparam name="THandler">Handles a message; added as a scoped service where it is none yet.</typeparam>
    /// <param name="subscription">The subscription; made where it does not exist.</param>
    /// <param name="configure">Changes what the configuration says.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The subscription of this queue has a consumer in this host already.</exception>
    public BlitQueueBuilder<T> AddConsumer<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        string subscription = "default", Action<BlitQueueConsumerOptions>? configure = null)
        where THandler : class, IQueueHandler<T>
    {
        Services.AddBlitQueueConsumer<T, THandler>(Name, subscription, configure);
        return this;
    }

    /// <summary>Makes the host consume from a subscription, with a new scope and a new handler for each batch.</summary>
    /// <typeparam name="THandler">Handles a batch; added as a scoped service where it is none yet.</typeparam>
    /// <inheritdoc cref="AddConsumer" path="//param|//returns|//exception"/>
    public BlitQueueBuilder<T> AddBatchConsumer<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        string subscription = "default", Action<BlitQueueConsumerOptions>? configure = null)
        where THandler : class, IQueueBatchHandler<T>
    {
        Services.AddBlitQueueBatchConsumer<T, THandler>(Name, subscription, configure);
        return this;
    }
}
