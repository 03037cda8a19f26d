using BlitQueue;
using BlitQueue.Hosting;
using BlitQueue.RabbitMq;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds forwarders and receivers where a queue is added.</summary>
public static class BlitQueueRabbitMqBuilderExtensions
{
    /// <summary>Makes the host forward the queue's messages to a RabbitMQ broker.</summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <param name="builder">The queue that was added.</param>
    /// <param name="configure">Changes what the configuration says.</param>
    /// <param name="subscription">The subscription whose messages are forwarded; made where it does not exist.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="InvalidOperationException">The subscription has a forwarder in this host already.</exception>
    /// <example>
    /// <code>
    /// builder.Services.AddBlitQueue&lt;Order&gt;("orders", options => options.Path = "/var/lib/shop/orders")
    ///     .AddForwarder(options => options.RoutingKey = "orders");
    /// </code>
    /// </example>
    public static BlitQueueBuilder<T> AddForwarder<T>(
        this BlitQueueBuilder<T> builder, Action<ForwarderOptions>? configure = null, string subscription = "default")
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Services.AddForwarder<T>(builder.Name, configure, subscription);
        return builder;
    }

    /// <summary>Makes the host receive a queue of a RabbitMQ broker into this queue, once and in order.</summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <param name="builder">The queue that was added. The directory above its own becomes a store (<see cref="MappedStore"/>).</param>
    /// <param name="configure">Changes what the configuration says.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="InvalidOperationException">The queue has a receiver in this host already.</exception>
    public static BlitQueueBuilder<T> AddReceiver<T>(this BlitQueueBuilder<T> builder, Action<ReceiverOptions>? configure = null)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Services.AddReceiver<T>(builder.Name, configure);
        return builder;
    }
}
