using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace BlitQueue.Hosting;

/// <summary>
/// Consumes from one subscription as long as the host runs. The queue's own loop (<see cref="Subscription{T}.ProcessAsync"/>) settles what
/// goes wrong with a message. An exception that ends the loop is logged, and the loop begins again later: no exception ends the host.
/// </summary>
/// <param name="queue">Gives the open queue.</param>
/// <param name="queueName">The name that it was added with.</param>
/// <param name="subscriptionName">The subscription.</param>
/// <param name="call">What handles messages.</param>
/// <param name="options">Gives the consumer's options.</param>
/// <param name="host">How long the host may take to stop.</param>
/// <param name="states">Learns whether messages can be taken.</param>
/// <param name="logger">Learns everything else.</param>
internal sealed class ConsumerService<T>(
    Func<MappedQueue<T>> queue, string queueName, string subscriptionName, IHandlerCall<T> call,
    Func<BlitQueueConsumerOptions> options, HostOptions host, ConsumerStates states, ILogger logger) : IHostedLifecycleService, IDisposable
    where T : IPackable<T>
{
    /// <summary>The category of what is logged about consumers.</summary>
    public const string Category = "BlitQueue.Hosting.Consumer";

    private const double FinishShare = 0.8, GiveBackShare = 0.9;

    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1), LongestPause = TimeSpan.FromMinutes(1);

    // In the order in which they are cancelled: no more messages are taken; handlers see it; the messages of handlers that still run are
    // given back.
    private readonly CancellationTokenSource _stopping = new(), _handling = new(), _givingBack = new();
    private readonly HashSet<Running> _running = [];
    private BlitQueueConsumerOptions _options = new();
    private Subscription<T>? _subscription;
    private Task? _consuming;

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Subscribes, so that wrong options fail the start and no message is missed from here on.</summary>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        _options = options();
        _options.Process.HandlerToken = _handling.Token;
        _options.Process.Failed = Tell;
        try
        {
            _subscription = queue().Subscribe(subscriptionName, _options.Subscription);
            // With a cancelled token the call only checks the options.
            _ = call.ProcessAsync(_subscription, AroundAsync, _options.Process, new CancellationToken(canceled: true));
        }
        catch (ArgumentException exception)
        {
            throw new OptionsValidationException(
                ConsumerConfiguration.NameOf(queueName, subscriptionName), typeof(BlitQueueConsumerOptions),
                [
                    $"The consumer of '{queueName}', subscription '{subscriptionName}', cannot run as its options say "
                    + $"({ConsumerConfiguration.SectionOf(queueName, subscriptionName)}, or the callback of AddConsumer): "
                    + exception.Message,
                ]);
        }
        catch (QueueException exception) when (exception.Reason == QueueError.InUse && (_options.Exclusive || _options.SingleConsumer))
        {
            // Another consumer has it, perhaps the host that this one takes over from: the loop tries again.
        }
        await call.CheckAsync().ConfigureAwait(false);
    }

    /// <summary>Begins to take messages: all hosted services that handlers may need have started.</summary>
    public Task StartedAsync(CancellationToken cancellationToken)
    {
        logger.ConsumerStarted(queueName, subscriptionName, call.HandlerName, _options.Concurrency);
        _consuming = Task.Run(ConsumeAsync, CancellationToken.None);
        return Task.CompletedTask;
    }

    /// <summary>Takes no more; all consumers of the host do this before the first one is waited for.</summary>
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        if (_stopping.IsCancellationRequested)
        {
            return;
        }
        TimeSpan? most = host.ShutdownTimeout >= TimeSpan.Zero ? host.ShutdownTimeout : null;
        TimeSpan? finish = _options.FinishTime ?? most * FinishShare, giveBack = most * GiveBackShare;
        await _stopping.CancelAsync().ConfigureAwait(false);
        CancelAfter(_handling, finish < giveBack || giveBack is null ? finish : giveBack);
        CancelAfter(_givingBack, giveBack);
    }

    private static void CancelAfter(CancellationTokenSource source, TimeSpan? time)
    {
        if (time is { } after && after.TotalMilliseconds < int.MaxValue)
        {
            source.CancelAfter(after);
        }
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await StoppingAsync(cancellationToken).ConfigureAwait(false);
        if (_consuming is not { } consuming)
        {
            _subscription?.Dispose();
            return;
        }
        using (cancellationToken.Register(GiveBackNow))
        {
            await Task.WhenAny(consuming, Task.Delay(Timeout.Infinite, _givingBack.Token)).ConfigureAwait(false);
        }
        if (!consuming.IsCompleted)
        {
            await _handling.CancelAsync().ConfigureAwait(false);
            logger.GivenBackAtStop(queueName, subscriptionName, GiveBackRunning());
        }
        else
        {
            _subscription?.Dispose();
        }
        // Ends the wait above if the consumer ended first.
        await _givingBack.CancelAsync().ConfigureAwait(false);
        states.Resume(queueName, subscriptionName);
        logger.ConsumerStopped(queueName, subscriptionName);
    }

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private void GiveBackNow()
    {
        _handling.Cancel();
        _givingBack.Cancel();
    }

    private int GiveBackRunning()
    {
        lock (_running)
        {
            return _running.Sum(static one => one.GiveBack());
        }
    }

    private async Task ConsumeAsync()
    {
        TimeSpan pause = FirstPause;
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                _subscription ??= queue().Subscribe(subscriptionName, _options.Subscription);
                Task processing = call.ProcessAsync(_subscription, AroundAsync, _options.Process, _stopping.Token);
                await Task.WhenAny(processing, Task.Delay(FirstPause, _stopping.Token)).ConfigureAwait(false);
                if (!processing.IsCompleted)
                {
                    pause = FirstPause;
                    Resume();
                }
                await processing.ConfigureAwait(false);
            }
            catch (Exception exception)
                when (_stopping.IsCancellationRequested && exception is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
            catch (QueueCorruptException damage) when (_options.SkipCorrupt && TrySkip())
            {
                logger.DamageSkipped(damage, queueName, subscriptionName);
                continue;
            }
            catch (QueueException exception) when (exception.Reason == QueueError.SubscriptionGone)
            {
                states.Fail(queueName, subscriptionName, exception);
                logger.SubscriptionDeleted(queueName, subscriptionName);
                await UntilThereAgainAsync().ConfigureAwait(false);
                continue;
            }
            catch (Exception exception)
            {
                Fail(exception, pause);
            }
            await Task.Delay(pause, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            pause = pause * 2 < LongestPause ? pause * 2 : LongestPause;
        }
    }

    // A deleted subscription is meant to be gone: a consumer that made it anew would hold the log again. Another process may make it.
    private async Task UntilThereAgainAsync()
    {
        _subscription?.Dispose();
        _subscription = null;
        do
        {
            await Task.Delay(FirstPause, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        while (!_stopping.IsCancellationRequested && !IsThere());
    }

    private bool IsThere()
    {
        try
        {
            return queue().GetStatus().Subscriptions.Any(one => one.Name == subscriptionName);
        }
        catch (Exception exception) when (exception is QueueException or ObjectDisposedException or IOException)
        {
            return false;
        }
    }

    private void Resume()
    {
        if (states.Resume(queueName, subscriptionName))
        {
            logger.ConsumerResumed(queueName, subscriptionName);
        }
    }

    private void Fail(Exception exception, TimeSpan pause)
    {
        states.Fail(queueName, subscriptionName, exception);
        logger.ConsumerFailed(exception, queueName, subscriptionName, pause);
        if (exception is QueueFailedException)
        {
            logger.SyncFailed(queueName, exception.Message);
        }
    }

    private bool TrySkip()
    {
        try
        {
            return _subscription!.SkipCorrupt();
        }
        catch (QueueException)
        {
            return false;
        }
    }

    private async ValueTask AroundAsync(IReadOnlyList<Lease<T>> leases, Func<ValueTask> handle)
    {
        var running = new Running(leases);
        lock (_running)
        {
            _running.Add(running);
        }
        try
        {
            await handle().ConfigureAwait(false);
        }
        catch (DeadLetterException exception) when (leases.Count == 1 && TryDeadLetter(leases[0], exception))
        {
        }
        finally
        {
            bool isLate;
            lock (_running)
            {
                _running.Remove(running);
                isLate = running.IsGivenBack;
            }
            if (isLate)
            {
                logger.HandlerLate(queueName, subscriptionName, leases[0].Position);
            }
        }
    }

    // If that fails, the handler has failed like any other.
    private bool TryDeadLetter(in Lease<T> lease, DeadLetterException exception)
    {
        try
        {
            lease.DeadLetter(exception.Message);
            logger.DeadLettered(exception, queueName, subscriptionName, lease.Position, lease.Attempt, exception.Message);
            return true;
        }
        catch (Exception refused) when (refused is QueueException or InvalidOperationException)
        {
            return false;
        }
    }

    private void Tell(ProcessFailure failure)
    {
        switch (failure.Outcome)
        {
            case ProcessOutcome.DeadLettered:
                logger.DeadLettered(
                    failure.Exception, queueName, subscriptionName, failure.Position, failure.Attempt, failure.Exception.Message);
                break;
            case ProcessOutcome.LeaseLost:
                logger.LeaseLost(failure.Exception, queueName, subscriptionName, failure.Position, failure.Attempt);
                break;
            default:
                logger.HandlerFailed(failure.Exception, queueName, subscriptionName, failure.Position, failure.Attempt);
                break;
        }
    }

    // Handlers that still run see their token; nothing is taken. Their messages were given back, or go to others with the queue.
    public void Dispose()
    {
        _stopping.Cancel();
        _handling.Cancel();
        // The sources may have timers; their tokens stay as they are.
        _handling.Dispose();
        _givingBack.Dispose();
    }

    /// <summary>The leases of a handler that runs.</summary>
    private sealed class Running(IReadOnlyList<Lease<T>> leases)
    {
        public bool IsGivenBack { get; private set; }

        public int GiveBack()
        {
            IsGivenBack = true;
            return leases.Count(static lease => lease.TryAbandonUncounted());
        }
    }
}
