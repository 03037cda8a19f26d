using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class QueueTransaction
{
    /// <summary>Takes the next message of a subscription, if there is one. It is consumed when the transaction is committed.</summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="ArgumentException">The queue is another store's, or was opened outside of one.</exception>
    /// <exception cref="InvalidOperationException">The transaction is over, or has received 4,096 messages already.</exception>
    /// <exception cref="QueueCorruptException">The next message is damaged; <see cref="Subscription{T}.SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The transaction or the queue was disposed.</exception>
    public bool TryReceive<T>(Subscription<T> from, ref T? message)
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
    public bool TryReceive<T>(MappedQueue<T> from, ref T? message)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(from);
        return TryReceive(from.Default, ref message);
    }

    /// <summary>Takes the next message of a subscription, waiting until there is one. It is consumed when the transaction is committed.</summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; what was received before stays so.</exception>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    public void Receive<T>(Subscription<T> from, ref T? message, CancellationToken ct = default)
        where T : IPackable<T>
    {
        while (!TryReceive(from, ref message))
        {
            from.WaitForMore(ct);
        }
    }

    /// <summary>Takes the next message of a subscription, waiting without a thread until there is one.</summary>
    /// <param name="from">A subscription to a queue that the store has opened.</param>
    /// <param name="reuse">An instance to fill, or null to get a new one. It is the call's until its task ends, as the transaction is.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; what was received before stays so.</exception>
    /// <inheritdoc cref="TryReceive{T}(Subscription{T}, ref T)"/>
    public async ValueTask<T> ReceiveAsync<T>(Subscription<T> from, T? reuse = default, CancellationToken ct = default)
        where T : IPackable<T>
    {
        ct.ThrowIfCancellationRequested();
        while (!TryReceive(from, ref reuse))
        {
            await from.WaitForMessageAsync(ct).ConfigureAwait(false);
        }
        return reuse!;
    }
}
