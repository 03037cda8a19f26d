namespace BlitQueue.Hosting;

/// <summary>Handles the messages of a subscription in batches; a new instance for each batch, from a scope of its own.</summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <example>
/// <code>
/// public sealed class Importer(Warehouse warehouse) : IQueueBatchHandler&lt;Order&gt;
/// {
///     public async ValueTask HandleAsync(IReadOnlyList&lt;QueueDelivery&lt;Order&gt;&gt; batch, CancellationToken cancellationToken) =&gt;
///         await warehouse.InsertAsync(batch.Select(one =&gt; one.Message), cancellationToken);
/// }
/// </code>
/// </example>
public interface IQueueBatchHandler<T>
{
    /// <summary>
    /// Handles a batch. All its messages are consumed when this returns. When this throws all are given back, and from then on each of them
    /// is delivered in a batch of its own: one that cannot be handled does not make dead letters of the others.
    /// </summary>
    /// <param name="batch">One message or more, up to <see cref="BlitQueueConsumerOptions.BatchSize"/>, in their order.</param>
    /// <param name="cancellationToken">As for <see cref="IQueueHandler{T}.HandleAsync"/>.</param>
    /// <returns>A task that ends when the batch is handled.</returns>
    ValueTask HandleAsync(IReadOnlyList<QueueDelivery<T>> batch, CancellationToken cancellationToken);
}
