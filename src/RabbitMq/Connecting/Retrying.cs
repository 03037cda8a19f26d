namespace BlitQueue.RabbitMq;

/// <summary>Tries again for ever what the broker, the network or another process has refused, and says what it was.</summary>
/// <param name="status">Where it says it.</param>
/// <param name="broker">How long to wait between attempts.</param>
/// <param name="requireLocal">Throws where the local queue or store was disposed: an exception does not tell whose object it was.</param>
internal sealed class Retrying(BridgeStatus status, BrokerOptions broker, Action requireLocal)
{
    /// <summary>How long it waits; whatever gets a message through resets it.</summary>
    public RetryDelay Delay { get; } = new(broker.MinRetryDelay, broker.MaxRetryDelay);

    /// <summary>Opens what one process at a time has, when no other one has it any more, there is room on the disk for it, and no
    /// stopped process is in the way.</summary>
    public async Task<TResult> ClaimAsync<TResult>(Func<TResult> open, CancellationToken cancellationToken)
    {
        for (bool isRefused = false; ;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            try
            {
                TResult opened = open();
                Delay.Reset();
                if (isRefused)
                {
                    status.Clear();
                }
                return opened;
            }
            catch (Exception exception) when (exception is QueueException { Reason: QueueError.Stalled }
                || Problems.Of(exception) is BridgeProblem.InUse or BridgeProblem.LocalQueueFull)
            {
                status.Note(Problems.Of(exception), exception.Message);
                isRefused = true;
            }
            await Delay.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private void Tell(Action<Exception> failed, Exception exception)
    {
        try
        {
            failed(exception);
        }
        catch (QueueException refused) when (Problems.IsRetried(refused))
        {
            status.Note(Problems.Of(refused), refused.Message);
        }
    }

    /// <summary>Runs one connection after the other.</summary>
    /// <param name="connect">Connects, and returns or throws when the connection is over.</param>
    /// <param name="failed">Told why it was.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task ConnectAsync(
        Func<CancellationToken, Task> connect, Action<Exception> failed, CancellationToken cancellationToken)
    {
        for (; ; )
        {
            cancellationToken.ThrowIfCancellationRequested();
            try
            {
                await connect(cancellationToken).ConfigureAwait(false);
            }
            catch (Exception exception) when (Problems.IsRetried(exception))
            {
                // What a cancelled attempt throws is no failure.
                cancellationToken.ThrowIfCancellationRequested();
                requireLocal();
                status.NoteLost();
                status.Note(Problems.Of(exception), Problems.TextOf(exception));
                Tell(failed, exception);
            }
            await Delay.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
