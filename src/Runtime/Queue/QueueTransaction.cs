using BlitQueue.Log;

namespace BlitQueue;

/// <summary>
/// Messages received from some queues of a store and sent to others, all of it or nothing: <see cref="Commit"/> makes it happen, and
/// until then no consumer sees any of it; <see cref="Dispose"/> without it gives back what was received.
/// </summary>
/// <remarks>
/// <para>One thread at a time may use it; several transactions may be open at once, on one thread too.</para>
/// <para>
/// What was received is leased meanwhile, like any message: it counts as an attempt when it is given back, and where the process dies it
/// goes to another consumer. A transaction can receive 4,096 messages, 2,047 of one subscription, from 64 subscriptions, and send any
/// number to 64 queues. Commits happen one at a time in a store: the larger a transaction is, the longer others wait for its commit.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using QueueTransaction transaction = shop.Begin();             // of a MappedStore
/// transaction.Receive(billing, ref order);                       // leased
/// transaction.Enqueue(invoices, Bill(order!));                   // packed; not visible yet
/// transaction.Commit();                                          // both, or neither
/// </code>
/// </example>
public sealed partial class QueueTransaction : IDisposable
{
    private readonly TransactionStore _store;
    private readonly TimeSpan _patience;
    private readonly bool _durable;
    private readonly List<TransactionOutput> _outputs = [];
    private readonly List<TransactionInput> _inputs = [];

    // Every queue that takes part, once for each handle.
    private readonly List<QueueStore> _queues = [];
    private string? _end;

    internal QueueTransaction(TransactionStore store, QueueOptions options)
    {
        _store = store;
        _patience = options.StallTimeout;
        _durable = options.Durability == Durability.Commit;
    }

    /// <summary>Gives back what was received, and sends nothing. The transaction is over then.</summary>
    /// <exception cref="InvalidOperationException">The transaction was committed or rolled back already.</exception>
    /// <exception cref="ObjectDisposedException">The transaction was disposed.</exception>
    public void Rollback()
    {
        RequireOpen();
        GiveBack();
        End("rolled back");
    }

    /// <summary>Gives back what was received, unless it was committed. Its next delivery is another attempt.</summary>
    public void Dispose()
    {
        if (_end is null)
        {
            GiveBack();
            End("disposed");
        }
        _end = "disposed";
    }

    private void GiveBack()
    {
        foreach (TransactionInput input in _inputs)
        {
            input.GiveBack(input.Held);
        }
    }

    private void End(string how)
    {
        _end = how;
        foreach (TransactionOutput output in _outputs)
        {
            output.Batch.Dispose();
        }
        _outputs.Clear();
        _inputs.Clear();
        _queues.Clear();
    }

    private void TakePart(QueueStore queue, string parameter)
    {
        if (queue.Transactions.Store != _store)
        {
            throw new ArgumentException(
                $"{queue.Files.Directory} was not opened by the store that the transaction is of ({_store.Directory}). "
                + "Open it with that store's OpenQueue.", parameter);
        }
        if (!_queues.Contains(queue))
        {
            _queues.Add(queue);
        }
    }

    private void RequireOpen()
    {
        if (_end == "disposed")
        {
            throw Disposed.Of("QueueTransaction", $"{_store.Directory}: the transaction");
        }
        if (_end is not null)
        {
            throw new InvalidOperationException($"The transaction was {_end} already. Begin another one.");
        }
    }

    /// <summary>Takes the next message of a subscription, if there is one. It is consumed when the transaction is committed.</summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <returns>
    /// false when there is none; also, once the transaction has received something, instead of a <see cref="QueueFullException"/>, so that
    /// what it has received can be committed.
    /// </returns>
    /// <exception cref="ArgumentException">The queue is another store's, or was opened outside of one.</exception>
    /// <exception cref="InvalidOperationException">The transaction is over, or has received 4,096 messages already.</exception>
    /// <exception cref="QueueFullException">
    /// Only messages are left that are to become dead letters, and the disk has no room for one. They are tried again once a second.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// Only such messages are left, and a process that does not run has delayed dead letters for
    /// <see cref="QueueOptions.StallTimeout"/>. They are tried again once a second.
    /// </exception>
    /// <exception cref="QueueCorruptException">
    /// The next message is damaged; <see cref="Subscription{T}.SkipCorrupt"/> steps over.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The transaction or the queue was disposed.</exception>
    public bool TryReceive<T>(Subscription<T> from, [NotNullWhen(true)] ref T? message)
        where T : IPackable<T>
    {
        try
        {
            return TryReceiveNext(from, ref message);
        }
        catch (QueueException exception) when (_inputs.Count > 0 && exception.DelaysLetters)
        {
            return false;
        }
    }

    private bool TryReceiveNext<T>(Subscription<T> from, [NotNullWhen(true)] ref T? message)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(from);
        RequireOpen();
        if (_inputs.Count == TransactionFormat.MostLeases)
        {
            throw new InvalidOperationException(
                $"A transaction can receive {TransactionFormat.MostLeases} messages at most. Commit this one, and go on in another.");
        }
        TakePart(from.Store, nameof(from));
        if (!from.TryReceive(ref message, out TransactionInput input))
        {
            return false;
        }
        _inputs.Add(input);
        return true;
    }

    /// <summary>Takes the next message of a queue's default subscription, if there is one.</summary>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    public bool TryReceive<T>(MappedQueue<T> from, [NotNullWhen(true)] ref T? message)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(from);
        return TryReceive(from.Default, ref message);
    }

    /// <summary>
    /// Takes the next message of a subscription, waiting until there is one. It is consumed when the transaction is committed.
    /// </summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; what was received before stays so.</exception>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    public void Receive<T>(Subscription<T> from, [NotNull] ref T? message, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryReceiveNext(from, ref message))
        {
            from.WaitForMessage(cancellationToken);
        }
    }

    /// <summary>
    /// Takes the next message of a subscription, waiting for so long until there is one. It is consumed when the transaction is committed.
    /// </summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>false when the time was over before there was one.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; what was received before stays so.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    public bool Receive<T>(
        Subscription<T> from, [NotNullWhen(true)] ref T? message, TimeSpan timeout, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        cancellationToken.ThrowIfCancellationRequested();
        var deadline = new Deadline(timeout);
        while (!TryReceiveNext(from, ref message))
        {
            if (!from.WaitForMessage(deadline, cancellationToken))
            {
                return false;
            }
        }
        return true;
    }

    /// <summary>Takes the next message of a subscription, waiting without a thread until there is one.</summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, a new instance. The transaction is the call's until its task ends.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; what was received before stays so.</exception>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    [OverloadResolutionPriority(1)]
    public ValueTask<T> ReceiveAsync<T>(Subscription<T> from, CancellationToken cancellationToken = default)
        where T : IPackable<T> =>
        ReceiveAsync(from, reuse: default, cancellationToken);

    /// <summary>Takes the next message of a subscription into an instance, waiting without a thread until there is one.</summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="reuse">
    /// An instance to fill, or null to get a new one. It is the call's until its task ends, as the transaction is.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; what was received before stays so.</exception>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    public async ValueTask<T> ReceiveAsync<T>(Subscription<T> from, T? reuse, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryReceiveNext(from, ref reuse))
        {
            await from.WaitForMessageAsync(cancellationToken).ConfigureAwait(false);
        }
        return reuse;
    }

    /// <summary>Takes the next message of a subscription, waiting without a thread, and for so long, until there is one.</summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, a new instance; none when the time was over. The transaction is the call's until its task ends.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; what was received before stays so.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> ReceiveAsync<T>(
        Subscription<T> from, TimeSpan timeout, CancellationToken cancellationToken = default)
        where T : IPackable<T> =>
        ReceiveAsync(from, reuse: default, timeout, cancellationToken);

    /// <summary>Takes the next message of a subscription into an instance, waiting for so long until there is one.</summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="reuse">
    /// An instance to fill, or null to get a new one. It is the call's until its task ends, as the transaction is.
    /// </param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; none when the time was over before there was one.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; what was received before stays so.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> ReceiveAsync<T>(
        Subscription<T> from, T? reuse, TimeSpan timeout, CancellationToken cancellationToken = default)
        where T : IPackable<T> =>
        TimedReceive.MessageAsync(ending => ReceiveAsync(from, reuse, ending), timeout, cancellationToken);
}
