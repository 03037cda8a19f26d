namespace BlitQueue;

/// <summary>Receives without a thread, and not longer than for a time.</summary>
internal static class TimedReceive
{
    /// <param name="receive">Looks before it returns, then waits.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>No message when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    public static async ValueTask<MessageOrNone<TMessage>> MessageAsync<TMessage>(
        Func<CancellationToken, ValueTask<TMessage>> receive, TimeSpan timeout, CancellationToken cancellationToken)
    {
        TimeSpan time = Deadline.ForTimer(timeout);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            ValueTask<TMessage> receiving = receive(ending.Token);
            if (!receiving.IsCompleted)
            {
                ending.CancelAfter(time);
            }
            return new MessageOrNone<TMessage>(await receiving.ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (ending.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return default;
        }
    }

    /// <summary>The same for a lease, which is null when the time was over.</summary>
    /// <inheritdoc cref="MessageAsync"/>
    public static async ValueTask<TLease?> LeaseAsync<TLease>(
        Func<CancellationToken, ValueTask<TLease>> receive, TimeSpan timeout, CancellationToken cancellationToken)
        where TLease : struct =>
        (await MessageAsync(receive, timeout, cancellationToken).ConfigureAwait(false)).TryGet(out TLease lease) ? lease : null;
}
