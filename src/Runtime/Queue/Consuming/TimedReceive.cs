namespace BlitQueue;

/// <summary>Receives without a thread, and not longer than for a time.</summary>
internal static class TimedReceive
{
    /// <param name="receive">Looks before it returns, then waits.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>null when the time was over before there was a message.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    public static async ValueTask<TLease?> RunAsync<TLease>(
        Func<CancellationToken, ValueTask<TLease>> receive, TimeSpan timeout, CancellationToken cancellationToken)
        where TLease : struct
    {
        TimeSpan time = Deadline.ForTimer(timeout);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            ValueTask<TLease> receiving = receive(ending.Token);
            if (!receiving.IsCompleted)
            {
                ending.CancelAfter(time);
            }
            return await receiving.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (ending.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return null;
        }
    }
}
