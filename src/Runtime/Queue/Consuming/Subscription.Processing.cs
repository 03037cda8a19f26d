using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>The loop that takes messages, has them handled, and ends their leases.</content>
public sealed partial class Subscription<T>
{
    /// <summary>
    /// Takes message after message and has each handled: consumes it if the handler succeeds, and gives it back, to be delivered again
    /// later, if the handler throws. After <see cref="SubscriptionOptions.MaxAttempts"/> deliveries it becomes a dead letter with the type
    /// and the text of the last exception as its reason.
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
    /// A task that ends only as cancelled, after the token was cancelled, or with an exception; in both cases after every running handler
    /// has ended.
    /// </returns>
    /// <remarks>
    /// <para>
    /// A message that cannot be unpacked counts as one whose handler threw. What no handler can settle ends the task: a damaged message
    /// (<see cref="SkipCorrupt"/>), a deleted subscription, a disposed queue. Messages may be handled again, for instance if the process is
    /// killed: a handler must allow for that.
    /// </para>
    /// <para>
    /// With a <see cref="ProcessOptions.Concurrency"/> of 1, messages are handled in their order. While one waits to be delivered again,
    /// later ones are handled, unless the subscription is exclusive.
    /// </para>
    /// </remarks>
    /// <exception cref="ArgumentNullException">The handler is null.</exception>
    /// <exception cref="ArgumentException">An option is out of range; the message says which, and what to do.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueCorruptException">
    /// The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.
    /// </exception>
    /// <exception cref="QueueException">The subscription was deleted, or another consumer has it for itself alone.</exception>
    /// <exception cref="QueueFailedException">The disk refused a dead letter.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    /// <example>
    /// <code>
    /// await billing.ProcessAsync(
    ///     async (order, stopping) => await BillAsync(order, stopping),
    ///     new ProcessOptions { Concurrency = 8 },
    ///     cancellationToken);
    /// </code>
    /// </example>
    public Task ProcessAsync(
        Func<T, CancellationToken, ValueTask> handler, ProcessOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ProcessAllAsync((lease, token) => handler(lease.Read(), token), batchHandler: null, options, cancellationToken);
    }

    /// <summary>
    /// As <see cref="ProcessAsync"/>, and the handler gets the lease: it knows the position, the attempt and the properties, may read in
    /// place, and may end the lease itself. If it does not end it, the lease is committed when it returns, and given back when it throws.
    /// </summary>
    /// <param name="handler">Gets the lease, which is disposed when it ends, and the token that <see cref="ProcessAsync"/> gives.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">As for <see cref="ProcessAsync"/>.</param>
    /// <inheritdoc cref="ProcessAsync" path="//returns|//remarks|//exception"/>
    /// <example>
    /// <code>
    /// await billing.ProcessLeasesAsync(
    ///     async (lease, stopping) => await BillOnceAsync(lease.Read(), lease.Position, stopping),
    ///     cancellationToken: cancellationToken);
    /// </code>
    /// </example>
    public Task ProcessLeasesAsync(
        Func<Lease<T>, CancellationToken, ValueTask> handler, ProcessOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ProcessAllAsync(handler, batchHandler: null, options, cancellationToken);
    }

    /// <summary>
    /// As <see cref="ProcessLeasesAsync"/>, with up to <see cref="ProcessOptions.BatchSize"/> messages for each call of the handler. If it
    /// throws, all messages of the batch whose leases it has not ended are given back, and are handled one at a time from then on: one
    /// message that cannot be handled does not make dead letters of the others.
    /// </summary>
    /// <param name="handler">
    /// Gets one lease or more, in their order. Its token is not cancelled when one lease of several is lost; the others are committed.
    /// </param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">As for <see cref="ProcessAsync"/>.</param>
    /// <inheritdoc cref="ProcessAsync" path="//returns|//remarks|//exception"/>
    /// <example>
    /// <code>
    /// await billing.ProcessBatchesAsync(
    ///     async (leases, stopping) => await InsertAsync(leases.Select(lease => lease.Read()), stopping),
    ///     new ProcessOptions { BatchSize = 100 },
    ///     cancellationToken);
    /// </code>
    /// </example>
    public Task ProcessBatchesAsync(
        Func<IReadOnlyList<Lease<T>>, CancellationToken, ValueTask> handler, ProcessOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ProcessAllAsync(static (_, _) => default, handler, options, cancellationToken);
    }

    private Task ProcessAllAsync(
        Func<Lease<T>, CancellationToken, ValueTask> handler, Func<IReadOnlyList<Lease<T>>, CancellationToken, ValueTask>? batchHandler,
        ProcessOptions? options, CancellationToken cancellationToken) =>
        MessageProcessor<T>.RunAsync(this, handler, batchHandler, options, _options, cancellationToken);

    TimeProvider IMessageSource<T>.Clock => _store.Clock.Provider;

    int IMessageSource<T>.Take(Span<Lease<T>> leases, CancellationToken cancellationToken) => Take(leases, cancellationToken);

    ValueTask IMessageSource<T>.WaitForMessageAsync(CancellationToken cancellationToken) => WaitForMessageAsync(cancellationToken);

    /// <summary>The options that this object was made with.</summary>
    internal SubscriptionOptions Options => _options;

    /// <summary>Whether the lease is valid, as far as is known.</summary>
    internal bool IsHeld(in LeaseToken lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return _leases.IsHeld(lease);
    }

    /// <summary>Gives a message back at once; this delivery does not count. Does nothing if the lease has ended.</summary>
    /// <returns>false if it has.</returns>
    internal bool GiveBackUncounted(in LeaseToken lease)
    {
        try
        {
            using CallGate.Call call = _store.Gate.Enter();
            if (_alone is null)
            {
                return _leases.TryGiveBackUncounted(lease);
            }
            lock (_alone)
            {
                return _leases.TryGiveBackUncounted(lease);
            }
        }
        catch (ObjectDisposedException)
        {
            // The queue was closed meanwhile: other consumers take over what this handle had leased.
            return false;
        }
    }
}
