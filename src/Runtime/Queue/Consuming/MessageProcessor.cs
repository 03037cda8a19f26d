using System.Runtime.ExceptionServices;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// One run of <see cref="Subscription{T}.ProcessAsync"/>, or of that of lanes: some loops on the thread pool, of which one at a time takes
/// messages. Each message's lease is ended where it was taken, which a lease knows.
/// </summary>
/// <param name="source">Where messages come from.</param>
/// <param name="handler">What handles one.</param>
/// <param name="batchHandler">What handles several; null where each is handled alone.</param>
/// <param name="options">Validated.</param>
/// <param name="subscription">The source's options.</param>
/// <param name="cancellationToken">The caller's.</param>
internal sealed class MessageProcessor<T>(
    IMessageSource<T> source, Func<Lease<T>, CancellationToken, ValueTask> handler,
    Func<IReadOnlyList<Lease<T>>, CancellationToken, ValueTask>? batchHandler, ProcessOptions options, SubscriptionOptions subscription,
    CancellationToken cancellationToken) : IDisposable
    where T : IPackable<T>
{
    // How long to wait until a lease may have ended, where the subscription has no free lease cell.
    private static readonly TimeSpan LeasePause = TimeSpan.FromMilliseconds(20), FullPause = TimeSpan.FromMilliseconds(100);

    private readonly SemaphoreSlim _taking = new(1, 1);
    private readonly CancellationTokenSource _stopped = CancellationTokenSource.CreateLinkedTokenSource(
        cancellationToken, options.HandlerToken);

    // The token that handlers get.
    private readonly CancellationToken _handling = options.HandlerToken.CanBeCanceled ? options.HandlerToken : cancellationToken;
    private readonly CancellationTokenSource _renewingEnded = new();
    private readonly TimeSpan? _renewEvery = options.RenewEvery(subscription);
    private readonly Lease<T>[] _batch = new Lease<T>[options.BatchSize];

    // Messages that were taken and that no handler has got yet. Only the loop that takes messages uses it.
    private readonly Queue<Work> _waiting = [];

    // All messages that are leased; empty where leases are not renewed.
    private readonly HashSet<Work> _leased = [];
    private readonly AtomicFlag _failed = new();
    private Exception? _failure;

    // The two tokens are asked as well as the source that is linked to them. A handler may hear of a cancellation before that source does,
    // and what the handler gives back must not be taken again.
    private bool IsStopped =>
        cancellationToken.IsCancellationRequested || _handling.IsCancellationRequested || _stopped.IsCancellationRequested;

    /// <summary>Runs until the token is cancelled, or no more messages can be taken.</summary>
    /// <param name="source">Where messages come from.</param>
    /// <param name="handler">What handles one.</param>
    /// <param name="batchHandler">What handles several; null where each is handled alone.</param>
    /// <param name="options">The caller's; null for the defaults.</param>
    /// <param name="subscription">The source's options.</param>
    /// <param name="cancellationToken">The caller's.</param>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    public static Task RunAsync(
        IMessageSource<T> source, Func<Lease<T>, CancellationToken, ValueTask> handler,
        Func<IReadOnlyList<Lease<T>>, CancellationToken, ValueTask>? batchHandler, ProcessOptions? options,
        SubscriptionOptions subscription, CancellationToken cancellationToken)
    {
        options = ProcessOptions.Validated(options, subscription);
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : ProcessAsync(options);

        async Task ProcessAsync(ProcessOptions valid)
        {
            using var processor = new MessageProcessor<T>(source, handler, batchHandler, valid, subscription, cancellationToken);
            await processor.RunAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Ends when the token was cancelled, or no more messages can be taken, and every handler that had begun has ended.</summary>
    public async Task RunAsync()
    {
        Task renewing = _renewEvery is { } interval ? RenewAsync(interval) : Task.CompletedTask;
        var loops = new Task[options.Concurrency + 1];
        for (int i = 0; i < options.Concurrency; i++)
        {
            loops[i] = Task.Run(WorkAsync, CancellationToken.None);
        }
        loops[options.Concurrency] = GiveBackWaitingAsync();
        await Task.WhenAll(loops).ConfigureAwait(false);
        await _renewingEnded.CancelAsync().ConfigureAwait(false);
        await renewing.ConfigureAwait(false);
        if (_failure is not null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }
        cancellationToken.ThrowIfCancellationRequested();
        options.HandlerToken.ThrowIfCancellationRequested();
    }

    // Runs as soon as nothing more is taken, before the last handler has ended, so that other consumers can go on with these messages.
    private async Task GiveBackWaitingAsync()
    {
        await Task.Delay(Timeout.Infinite, _stopped.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _taking.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        while (_waiting.TryDequeue(out Work? unhandled))
        {
            unhandled.From.GiveBackUncounted(unhandled.Lease.Held);
            Forget(unhandled);
        }
        _taking.Release();
    }

    private async Task WorkAsync()
    {
        try
        {
            while (await TakeAsync().ConfigureAwait(false) is { } work)
            {
                await HandleAsync(work).ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            Fail(exception);
        }
    }

    // Nothing more is taken; the handlers that run are not told.
    private void Fail(Exception exception)
    {
        if (_failed.TrySet())
        {
            _failure = exception;
        }
        _stopped.Cancel();
    }

    // null: nothing more is to be taken.
    private async ValueTask<Work?> TakeAsync()
    {
        try
        {
            await _taking.WaitAsync(_stopped.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
        try
        {
            while (!IsStopped)
            {
                if (_waiting.TryDequeue(out Work? work))
                {
                    TakeRest(work);
                    return work;
                }
                await TakeBatchAsync().ConfigureAwait(false);
            }
            return null;
        }
        catch (OperationCanceledException) when (IsStopped)
        {
            return null;
        }
        finally
        {
            _taking.Release();
        }
    }

    // A message that was delivered before is handled alone: if it makes the handler throw, it would fail its whole batch each time.
    private void TakeRest(Work first)
    {
        Work last = first;
        while (batchHandler is not null && last.Lease.Attempt == 1
            && _waiting.TryPeek(out Work? next) && next.Lease.Attempt == 1)
        {
            last = last.Next = _waiting.Dequeue();
        }
    }

    private async ValueTask TakeBatchAsync()
    {
        int count = 0;
        try
        {
            count = source.Take(_batch, _stopped.Token);
        }
        catch (QueueException exception) when (exception.Reason == QueueError.TooManyLeases)
        {
            await Task.Delay(LeasePause, _stopped.Token).ConfigureAwait(false);
            return;
        }
        catch (QueueException exception) when (exception.DelaysLetters)
        {
            // All that waits is to become dead letters, for which the disk has no room, or which a stopped process delays.
            await Task.Delay(FullPause, _stopped.Token).ConfigureAwait(false);
            return;
        }
        if (count == 0)
        {
            await source.WaitForMessageAsync(_stopped.Token).ConfigureAwait(false);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            var work = new Work(_batch[i], _renewEvery is null ? null : CancellationTokenSource.CreateLinkedTokenSource(_handling));
            if (_renewEvery is not null)
            {
                lock (_leased)
                {
                    _leased.Add(work);
                }
            }
            _waiting.Enqueue(work);
        }
    }

    private async ValueTask HandleAsync(Work first)
    {
        bool isTraced = QueueTracing.IsOn;
        Lease<T>[] leases = batchHandler is not null || isTraced ? first.AllLeases() : [];
        using QueueSpan span = isTraced ? StartSpan(first.From, leases) : default;
        long began = QueueMeter.TimesHandlers ? Stopwatch.GetTimestamp() : 0;
        Exception? failure = null;
        try
        {
            await (batchHandler is null
                ? handler(first.Lease, first.TokenOr(_handling))
                : batchHandler(leases, first.Next is null ? first.TokenOr(_handling) : _handling)).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            failure = exception;
            QueueTracing.Fail(span, exception);
        }
        if (began > 0)
        {
            QueueMeter.NoteHandler(first.From.QueuePath, first.From.Name, Stopwatch.GetElapsedTime(began), failure);
        }
        List<Exception>? refused = null;
        for (Work? work = first; work is not null; work = work.Next)
        {
            try
            {
                End(work, failure);
            }
            catch (Exception exception)
            {
                (refused ??= []).Add(exception);
            }
            finally
            {
                work.Lease.Dispose();
                Forget(work);
            }
        }
        if (refused is not null)
        {
            ExceptionDispatchInfo.Throw(refused[0]);
        }
    }

    // All of the leases are of one take, so they are of one subscription.
    private static QueueSpan StartSpan(Subscription<T> from, Lease<T>[] leases)
    {
        QueueSpan span = QueueTracing.StartProcess(from.QueuePath, from.Name, from.ContextsOf(leases), leases.Length);
        if (leases.Length == 1)
        {
            span.Activity?.SetTag(QueueTags.MessageId, leases[0].Position.ToString()).SetTag(QueueTags.Attempt, leases[0].Attempt);
        }
        return span;
    }

    private void Forget(Work work)
    {
        if (_renewEvery is not null)
        {
            lock (_leased)
            {
                _leased.Remove(work);
            }
        }
        work.Dispose();
    }

    private void End(Work work, Exception? failure)
    {
        try
        {
            if (failure is null)
            {
                work.Lease.Commit();
                return;
            }
        }
        catch (InvalidOperationException) when (!work.IsLost && !work.From.Store.Gate.IsClosed && !work.From.IsHeld(work.Lease.Held))
        {
            // The handler has ended the lease itself.
            return;
        }
        catch (Exception exception)
        {
            failure = exception;
        }
        if (failure is OperationCanceledException && _handling.IsCancellationRequested)
        {
            work.From.GiveBackUncounted(work.Lease.Held);
        }
        else if (work.IsLost)
        {
            Tell(work.Lease, failure, ProcessOutcome.LeaseLost);
        }
        else if (work.From.Store.Gate.IsClosed)
        {
            // The message goes to another consumer; the next look says why nothing more can be taken.
        }
        else if (failure is LeaseLostException && !work.From.IsHeld(work.Lease.Held))
        {
            Tell(work.Lease, failure, ProcessOutcome.LeaseLost);
        }
        else
        {
            EndFailed(work.From, work.Lease, failure);
        }
    }

    private void EndFailed(Subscription<T> from, in Lease<T> lease, Exception failure)
    {
        string reason = $"{failure.GetType().FullName}: {failure.Message}";
        bool isDead;
        try
        {
            isDead = lease.Attempt >= subscription.MaxAttempts && TryDeadLetter(from, lease, reason);
            if (!isDead)
            {
                lease.Abandon(options.DelayAfter(lease.Attempt), reason);
            }
        }
        catch (LeaseLostException lost)
        {
            Tell(lease, lost, ProcessOutcome.LeaseLost);
            return;
        }
        catch (InvalidOperationException) when (from.Store.Gate.IsClosed || !from.IsHeld(lease.Held))
        {
            // The handler has ended the lease itself, or the queue was closed.
            return;
        }
        Tell(lease, failure, isDead ? ProcessOutcome.DeadLettered : ProcessOutcome.GivenBack);
    }

    private void Tell(in Lease<T> lease, Exception failure, ProcessOutcome outcome)
    {
        if (QueueTracing.IsOn)
        {
            QueueTracing.NoteOutcome(outcome);
        }
        options.Failed?.Invoke(new ProcessFailure(lease.Position, lease.Attempt, failure, outcome));
    }

    // If this fails, the next consumer that gets the message makes it a dead letter. So no handler waits here for a stopped process.
    private static bool TryDeadLetter(Subscription<T> from, in Lease<T> lease, string reason)
    {
        try
        {
            from.MoveToDeadLetters(lease.Held, reason, isPatient: false);
            return true;
        }
        catch (QueueException exception) when (exception.DelaysLetters)
        {
            return false;
        }
    }

    private async Task RenewAsync(TimeSpan interval)
    {
        using var timer = new PeriodicTimer(interval, source.Clock);
        try
        {
            while (await timer.WaitForNextTickAsync(_renewingEnded.Token).ConfigureAwait(false))
            {
                Work[] leased;
                lock (_leased)
                {
                    leased = [.. _leased];
                }
                Array.ForEach(leased, Renew);
            }
        }
        catch (OperationCanceledException)
        {
        }
    }

    private void Renew(Work work)
    {
        try
        {
            work.Lease.Renew();
        }
        catch (LeaseLostException)
        {
            work.Lose();
        }
        catch (Exception exception) when (exception is InvalidOperationException or QueueException)
        {
            // It has ended by itself, or nothing can be taken any more, which the next look says.
        }
    }

    public void Dispose()
    {
        _taking.Dispose();
        _stopped.Dispose();
        _renewingEnded.Dispose();
    }

    /// <summary>A message that was taken, and what tells its handler that another consumer has it.</summary>
    private sealed class Work(Lease<T> lease, CancellationTokenSource? lost) : IDisposable
    {
        private readonly Lock _sync = new();
        private bool _disposed;

        public Lease<T> Lease => lease;

        /// <summary>The subscription that the message was taken from.</summary>
        public Subscription<T> From => lease.Subscription!;

        // Handled by the same call of the handler.
        public Work? Next { get; set; }

        public bool IsLost { get; private set; }

        public Lease<T>[] AllLeases()
        {
            List<Lease<T>> leases = [];
            for (Work? one = this; one is not null; one = one.Next)
            {
                leases.Add(one.Lease);
            }
            return [.. leases];
        }

        public CancellationToken TokenOr(CancellationToken other) => lost?.Token ?? other;

        public void Lose()
        {
            lock (_sync)
            {
                if (!_disposed)
                {
                    IsLost = true;
                    _ = lost!.CancelAsync();
                }
            }
        }

        public void Dispose()
        {
            lock (_sync)
            {
                _disposed = true;
                lost?.Dispose();
            }
        }
    }
}
