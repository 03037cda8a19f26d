using System.Runtime.ExceptionServices;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// One run of <see cref="Subscription{T}.ProcessAsync"/>: some loops on the thread pool, of which one at a time takes messages.
/// </summary>
/// <param name="source">Where messages come from.</param>
/// <param name="handler">What handles one.</param>
/// <param name="options">Validated.</param>
/// <param name="subscription">The source's options.</param>
/// <param name="cancellationToken">The caller's.</param>
internal sealed class MessageProcessor<T>(
    Subscription<T> source, Func<T, CancellationToken, ValueTask> handler, ProcessOptions options, SubscriptionOptions subscription,
    CancellationToken cancellationToken) : IDisposable
    where T : IPackable<T>
{
    // Until somebody may have ended a lease, where the subscription has no free one.
    private static readonly TimeSpan LeasePause = TimeSpan.FromMilliseconds(20);

    private readonly SemaphoreSlim _taking = new(1, 1);
    private readonly CancellationTokenSource _stopped = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
    private readonly CancellationTokenSource _renewingEnded = new();
    private readonly TimeSpan? _renewEvery = options.RenewEvery(subscription);
    private readonly Lease<T>[] _batch = new Lease<T>[options.BatchSize];

    // Taken, and not in anybody's hands yet: used by the loop that takes.
    private readonly Queue<Work> _waiting = [];

    // All that is leased, where leases are renewed.
    private readonly HashSet<Work> _leased = [];
    private readonly AtomicFlag _failed = new();
    private Exception? _failure;

    // The caller's token is asked too: it tells the handlers first, and what they give back must not be taken again before it tells us.
    private bool IsStopped => cancellationToken.IsCancellationRequested || _stopped.IsCancellationRequested;

    /// <summary>Ends when the token was cancelled, or no more messages can be taken, and every handler that had begun has ended.</summary>
    public async Task RunAsync()
    {
        Task renewing = _renewEvery is { } interval ? RenewAsync(interval) : Task.CompletedTask;
        var loops = new Task[options.Concurrency];
        for (int i = 0; i < loops.Length; i++)
        {
            loops[i] = Task.Run(WorkAsync, CancellationToken.None);
        }
        await Task.WhenAll(loops).ConfigureAwait(false);
        await _renewingEnded.CancelAsync().ConfigureAwait(false);
        await renewing.ConfigureAwait(false);
        while (_waiting.TryDequeue(out Work? unhandled))
        {
            source.GiveBackUncounted(unhandled.Lease.Held);
            unhandled.Dispose();
        }
        if (_failure is not null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }
        cancellationToken.ThrowIfCancellationRequested();
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

    private async ValueTask TakeBatchAsync()
    {
        int count = 0;
        try
        {
            count = source.TryReceive(_batch);
        }
        catch (QueueException exception) when (exception.Reason == QueueError.TooManyLeases)
        {
            await Task.Delay(LeasePause, _stopped.Token).ConfigureAwait(false);
            return;
        }
        if (count == 0)
        {
            await source.WaitForMessageAsync(_stopped.Token).ConfigureAwait(false);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            var work = new Work(_batch[i], _renewEvery is null ? null : CancellationTokenSource.CreateLinkedTokenSource(cancellationToken));
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

    private async ValueTask HandleAsync(Work work)
    {
        try
        {
            await handler(work.Lease.Read(), work.TokenOr(cancellationToken)).ConfigureAwait(false);
            work.Lease.Commit();
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            source.GiveBackUncounted(work.Lease.Held);
        }
        catch (Exception) when (work.IsLost || source.Store.Gate.IsClosed)
        {
            // The message is another consumer's, or goes to one; the next look says why nothing more can be taken.
        }
        catch (LeaseLostException) when (!source.IsHeld(work.Lease.Held))
        {
        }
        catch (Exception exception)
        {
            EndFailed(work.Lease, $"{exception.GetType().FullName}: {exception.Message}");
        }
        finally
        {
            work.Lease.Dispose();
            if (_renewEvery is not null)
            {
                lock (_leased)
                {
                    _leased.Remove(work);
                }
            }
            work.Dispose();
        }
    }

    private void EndFailed(in Lease<T> lease, string reason)
    {
        try
        {
            if (lease.Attempt < subscription.MaxAttempts || !TryDeadLetter(lease, reason))
            {
                lease.Abandon(options.DelayAfter(lease.Attempt), reason);
            }
        }
        catch (LeaseLostException)
        {
        }
    }

    // Else the next consumer that gets the message makes it a dead letter.
    private static bool TryDeadLetter(in Lease<T> lease, string reason)
    {
        try
        {
            lease.DeadLetter(reason);
            return true;
        }
        catch (QueueFullException)
        {
            return false;
        }
    }

    private async Task RenewAsync(TimeSpan interval)
    {
        using var timer = new PeriodicTimer(interval, source.Store.Clock.Provider);
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

        public bool IsLost { get; private set; }

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
