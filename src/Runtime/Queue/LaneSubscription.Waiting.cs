using System.Diagnostics;
using System.Runtime.CompilerServices;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class LaneSubscription<T>
{
    /// <summary>Takes and consumes the next message, waiting without a thread until some lane has one.</summary>
    /// <param name="reuse">An instance to fill, or null to get a new one. It is the call's until its task ends.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The message; completed already when there was one.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">A lane's next message is damaged; see <see cref="Subscription{T}.SkipCorrupt"/>.</exception>
    /// <exception cref="ObjectDisposedException">The lanes were disposed, possibly during the wait.</exception>
    public async ValueTask<T> DequeueAsync(T? reuse = default, CancellationToken ct = default)
    {
        ct.ThrowIfCancellationRequested();
        while (!TryDequeue(ref reuse))
        {
            await WaitPlace.WaitAnyAsync(_places, _look, ct).ConfigureAwait(false);
        }
        return reuse!;
    }

    /// <summary>Takes the next message without consuming it, waiting without a thread until some lane has one.</summary>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The message; consumed by <see cref="Lease{T}.Commit"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueException">2,047 messages of a lane's subscription are leased already.</exception>
    /// <exception cref="ObjectDisposedException">The lanes were disposed, possibly during the wait.</exception>
    public async ValueTask<Lease<T>> ReceiveAsync(CancellationToken ct = default)
    {
        ct.ThrowIfCancellationRequested();
        Lease<T> lease;
        while (!TryReceive(out lease))
        {
            await WaitPlace.WaitAnyAsync(_places, _look, ct).ConfigureAwait(false);
        }
        return lease;
    }

    /// <summary>Takes and consumes one message after the other, for <c>await foreach</c>; waits without a thread where there is none.</summary>
    /// <param name="ct">Ends the enumeration with <see cref="OperationCanceledException"/>; no message was taken then.</param>
    /// <returns>Messages without end, each a new instance. A message is taken when it is asked for, the most urgent one of that moment.</returns>
    /// <exception cref="QueueCorruptException">A lane's next message is damaged; see <see cref="Subscription{T}.SkipCorrupt"/>.</exception>
    /// <exception cref="ObjectDisposedException">The lanes were disposed, possibly during the wait.</exception>
    public async IAsyncEnumerable<T> ReadAllAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        for (;;)
        {
            yield return await DequeueAsync(default, ct).ConfigureAwait(false);
        }
    }

    // Spins, then sleeps on all lanes at once until something was enqueued or given back, or a moment is over. The caller looks again.
    private void WaitForMessage(CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (SpinForMessage())
        {
            return;
        }
        using CancellationTokenRegistration wakeOnCancel = ct.UnsafeRegister(
            static state => ((QueueStore)state!).WakeDataSleepers(), _stores[0]);
        JointSleep.Sleep(_stores, ct.CanBeCanceled ? () => IsMessageThere() || ct.IsCancellationRequested : _isMessageThere);
        ct.ThrowIfCancellationRequested();
    }

    private bool SpinForMessage()
    {
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < _spinDuration)
        {
            if (IsMessageThere())
            {
                return true;
            }
            Thread.SpinWait(1);
        }
        return false;
    }

    private bool IsMessageThere() => Array.Exists(_lanes, static lane => lane.LookForMessage());
}
