using BlitQueue.Log;

namespace BlitQueue;

/// <content>The loop that takes the most urgent message, has it handled, and ends its lease.</content>
public sealed partial class LaneSubscription<T> : IMessageSource<T>
{
    /// <summary>
    /// Takes message after message, the most urgent one of each moment, and has each handled; as <see cref="Subscription{T}.ProcessAsync"/>
    /// does for one queue: a message is consumed if its handler succeeds, and given back to its lane if the handler throws. After
    /// <see cref="SubscriptionOptions.MaxAttempts"/> deliveries it becomes a dead letter of its lane.
    /// </summary>
    /// <param name="handler">
    /// Gets a new instance, which is its own, and a token that is cancelled when <paramref name="cancellationToken"/> is, and when another
    /// consumer has the message because a <see cref="SubscriptionOptions.VisibilityTimeout"/> was over. Up to
    /// <see cref="ProcessOptions.Concurrency"/> of its calls run at the same time, on the thread pool.
    /// </param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">
    /// Ends it: no more messages are taken, handlers that run see the token, and the task ends when they have. A message whose handler
    /// ends with <see cref="OperationCanceledException"/> then, or that no handler has got yet, is given back at once, and this delivery
    /// does not count as an attempt; one whose handler succeeds all the same is consumed.
    /// </param>
    /// <returns>
    /// A task that ends only as cancelled, once the token was, or with an exception, once every handler that had begun has ended.
    /// </returns>
    /// <remarks>
    /// <para>
    /// A message that cannot be unpacked counts as one whose handler threw. What no handler can settle ends the task, for all lanes: a
    /// damaged message (<see cref="Subscription{T}.SkipCorrupt"/> of its lane), a deleted subscription, disposed lanes. Messages may be
    /// handled again, for instance if the process is killed: handlers have to bear that.
    /// </para>
    /// <para>
    /// A message is taken when a handler is free for it, so an urgent one waits for no more than the handlers that run. With a
    /// <see cref="ProcessOptions.BatchSize"/> above 1, it also waits for those that were taken in the same step as the last one, all from
    /// one lane. While a message waits to be delivered again, later ones and less urgent ones are handled.
    /// </para>
    /// </remarks>
    /// <exception cref="ArgumentNullException">The handler is null.</exception>
    /// <exception cref="ArgumentException">An option is out of range; the message says which, and what to do.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueCorruptException">
    /// A lane's next message is damaged. The position stays; <see cref="Subscription{T}.SkipCorrupt"/> of <c>this[lane]</c> steps over.
    /// </exception>
    /// <exception cref="QueueException">The subscription was deleted, or another consumer has it for itself alone.</exception>
    /// <exception cref="QueueFailedException">The disk refused a dead letter.</exception>
    /// <exception cref="ObjectDisposedException">The lanes were disposed.</exception>
    /// <example>
    /// <code>
    /// await billing.ProcessAsync(                                       // of MappedLanes
    ///     async (order, stopping) => await BillAsync(order, stopping),
    ///     new ProcessOptions { Concurrency = 8 },
    ///     cancellationToken);
    /// </code>
    /// </example>
    public Task ProcessAsync(
        Func<T, CancellationToken, ValueTask> handler, ProcessOptions? options = null, CancellationToken cancellationToken = default) =>
        RunAsync(handler, (lease, token) => handler(lease.Read(), token), batchHandler: null, options, cancellationToken);

    /// <summary>
    /// As <see cref="ProcessAsync"/>, and the handler gets the lease: it knows the position in its lane, the attempt and the properties,
    /// may read in place, and may end the lease itself. Where it did not, the lease is committed when it returns, and given back when it
    /// throws.
    /// </summary>
    /// <param name="handler">Gets the lease, which is disposed when it ends, and the token that <see cref="ProcessAsync"/> gives.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">As for <see cref="ProcessAsync"/>.</param>
    /// <inheritdoc cref="ProcessAsync" path="//returns|//remarks|//exception"/>
    public Task ProcessLeasesAsync(
        Func<Lease<T>, CancellationToken, ValueTask> handler, ProcessOptions? options = null,
        CancellationToken cancellationToken = default) =>
        RunAsync(handler, handler, batchHandler: null, options, cancellationToken);

    /// <summary>
    /// As <see cref="ProcessLeasesAsync"/>, with up to <see cref="ProcessOptions.BatchSize"/> messages of one lane for each call of the
    /// handler; as <see cref="Subscription{T}.ProcessBatchesAsync"/>.
    /// </summary>
    /// <param name="handler">
    /// Gets one lease or more of one lane, in their order. Its token is not cancelled when one lease of several is lost; the others are
    /// committed.
    /// </param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">As for <see cref="ProcessAsync"/>.</param>
    /// <inheritdoc cref="ProcessAsync" path="//returns|//remarks|//exception"/>
    public Task ProcessBatchesAsync(
        Func<IReadOnlyList<Lease<T>>, CancellationToken, ValueTask> handler, ProcessOptions? options = null,
        CancellationToken cancellationToken = default) =>
        RunAsync(handler, static (_, _) => default, handler, options, cancellationToken);

    private Task RunAsync(
        Delegate handler, Func<Lease<T>, CancellationToken, ValueTask> leaseHandler,
        Func<IReadOnlyList<Lease<T>>, CancellationToken, ValueTask>? batchHandler, ProcessOptions? options, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return MessageProcessor<T>.RunAsync(this, leaseHandler, batchHandler, options, _lanes[0].Options, token);
    }

    TimeProvider IMessageSource<T>.Clock => _stores[0].Clock.Provider;

    // Of one lane, so that a batch is in one order, and nothing less urgent is taken ahead.
    int IMessageSource<T>.Take(Span<Lease<T>> leases, CancellationToken cancellationToken)
    {
        var batch = new Batch(leases, cancellationToken);
        return TryTake(TakeBatch, ref batch) ? batch.Count : 0;
    }

    private static bool TakeBatch(Subscription<T> lane, ref Batch batch) =>
        (batch.Count = lane.Take(batch.Leases, batch.CancellationToken)) > 0;

    // Not a closure, which would be made anew for each batch.
    private ref struct Batch(Span<Lease<T>> leases, CancellationToken cancellationToken)
    {
        public readonly Span<Lease<T>> Leases = leases;
        public readonly CancellationToken CancellationToken = cancellationToken;
        public int Count;
    }

    ValueTask IMessageSource<T>.WaitForMessageAsync(CancellationToken cancellationToken) =>
        AsyncWaitQueue.WaitAnyAsync(_waits, _look, cancellationToken);
}
