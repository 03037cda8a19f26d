namespace BlitQueue.Hosting;

/// <summary>Handles the messages of a subscription, one at a time; a new instance for each, from a scope of its own.</summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <example>
/// <code>
/// public sealed class Billing(BillingContext db) : IQueueHandler&lt;Order&gt;
/// {
///     public async ValueTask HandleAsync(Order message, MessageContext context, CancellationToken cancellationToken)
///     {
///         db.Bills.Add(new Bill(message));
///         await db.SaveChangesAsync(cancellationToken);
///     }
/// }
/// </code>
/// </example>
public interface IQueueHandler<in T>
{
    /// <summary>
    /// Handles a message. It is consumed when this returns; when this throws it is given back and delivered again after a delay, and after
    /// <see cref="BlitQueueConsumerOptions.MaxAttempts"/> deliveries it becomes a dead letter, or at once where this throws
    /// <see cref="DeadLetterException"/>.
    /// </summary>
    /// <param name="message">A new instance, which is the handler's own.</param>
    /// <param name="context">Where the message comes from, and how often it was delivered.</param>
    /// <param name="cancellationToken">
    /// Cancelled <see cref="BlitQueueConsumerOptions.FinishTime"/> after the host began to stop, and when another consumer has the message
    /// because a <see cref="BlitQueueConsumerOptions.VisibilityTimeout"/> was over. A handler that ends with
    /// <see cref="OperationCanceledException"/> while the host stops gives its message back, and this delivery does not count.
    /// </param>
    /// <returns>A task that ends when the message is handled.</returns>
    ValueTask HandleAsync(T message, MessageContext context, CancellationToken cancellationToken);
}
