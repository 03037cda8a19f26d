using System.Threading.Channels;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    private Func<bool, bool>? _look;
    private Func<bool>? _isMessageOrDamageThere;

    /// <summary>Takes and consumes the next message, waiting without a thread until there is one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, a new instance; completed already when there was one.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">
    /// The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    [OverloadResolutionPriority(1)]
    public ValueTask<T> DequeueAsync(CancellationToken cancellationToken = default) => DequeueAsync(reuse: default, cancellationToken);

    /// <summary>Takes and consumes the next message into an instance, waiting without a thread until there is one.</summary>
    /// <param name="reuse">
    /// An instance to fill, or null to get a new one. It is the call's until its task ends; where that ends with an exception, its content
    /// may have changed.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; completed already when there was one.</returns>
    /// <inheritdoc cref="DequeueAsync(CancellationToken)"/>
    public ValueTask<T> DequeueAsync(T? reuse, CancellationToken cancellationToken = default)
    {
        try
        {
            return !cancellationToken.IsCancellationRequested && TryDequeue(ref reuse)
                ? new ValueTask<T>(reuse)
                : DequeueWaiting(reuse, cancellationToken);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<T>(exception);
        }
    }

    /// <summary>Takes and consumes the next message, waiting without a thread, and for so long, until there is one.</summary>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, a new instance; none when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="DequeueAsync(CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> DequeueAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.MessageAsync(DequeueAsync, timeout, cancellationToken);

    /// <summary>Takes and consumes the next message into an instance, waiting for so long until there is one.</summary>
    /// <param name="reuse">An instance to fill, or null to get a new one. It is the call's until its task ends.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; none when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="DequeueAsync(T, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> DequeueAsync(T? reuse, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.MessageAsync(ending => DequeueAsync(reuse, ending), timeout, cancellationToken);

    private async ValueTask<T> DequeueWaiting(T? message, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        do
        {
            await WaitForMessageAsync(cancellationToken).ConfigureAwait(false);
        }
        while (!TryDequeue(ref message));
        return message;
    }

    /// <summary>
    /// Takes and consumes one message after the other, for <c>await foreach</c>; waits without a thread where there is none.
    /// </summary>
    /// <param name="cancellationToken">
    /// Ends the enumeration with <see cref="OperationCanceledException"/>; no message was taken then.
    /// </param>
    /// <returns>
    /// Messages without end, each a new instance that is the caller's to keep. A message is taken when it is asked for, never ahead.
    /// </returns>
    /// <inheritdoc cref="DequeueAsync(CancellationToken)"/>
    public async IAsyncEnumerable<T> ReadAllAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (; ; )
        {
            yield return await DequeueAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Takes the next message without consuming it, waiting without a thread until there is one.</summary>
    /// <inheritdoc cref="Receive(CancellationToken)"/>
    public async ValueTask<Lease<T>> ReceiveAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Lease<T> lease;
        while (!TryReceive(out lease, cancellationToken))
        {
            await WaitForMessageAsync(cancellationToken).ConfigureAwait(false);
        }
        return lease;
    }

    /// <summary>Takes the next message without consuming it, waiting without a thread, and for so long, until there is one.</summary>
    /// <inheritdoc cref="Receive(TimeSpan, CancellationToken)"/>
    public ValueTask<Lease<T>?> ReceiveAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.LeaseAsync(ReceiveAsync, timeout, cancellationToken);

    /// <summary>
    /// Takes one message after the other without consuming it, for <c>await foreach</c>; waits without a thread where there is none.
    /// </summary>
    /// <param name="cancellationToken">
    /// Ends the enumeration with <see cref="OperationCanceledException"/>; no message was taken then.
    /// </param>
    /// <returns>
    /// Leases without end. A message is taken when it is asked for, never ahead. Before the next one is taken, and when the loop is left,
    /// the enumeration disposes the lease: a message that the loop's body did not commit is given back then.
    /// </returns>
    /// <example>
    /// <code>
    /// await foreach (Lease&lt;Order&gt; lease in billing.ReceiveAllAsync(stopping))
    /// {
    ///     await BillAsync(lease.Read());
    ///     lease.Commit();
    /// }
    /// </code>
    /// </example>
    /// <inheritdoc cref="Receive(CancellationToken)"/>
    public async IAsyncEnumerable<Lease<T>> ReceiveAllAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (; ; )
        {
            using Lease<T> lease = await ReceiveAsync(cancellationToken).ConfigureAwait(false);
            yield return lease;
        }
    }

    /// <summary>The subscription as a channel's reading end, for code that is written for <c>System.Threading.Channels</c>.</summary>
    /// <returns>
    /// A reader that competes for the messages like any other consumer; each one is taken and consumed in one step, into a new instance.
    /// It never completes: a queue has no end. After the queue was disposed its calls throw <see cref="ObjectDisposedException"/>.
    /// </returns>
    public ChannelReader<T> AsChannelReader() => new QueueChannelReader<T>(this);

    /// <summary>Waits until trying to take a message is promising; another consumer may be faster then.</summary>
    internal ValueTask WaitForMessageAsync(CancellationToken cancellationToken) =>
        _store.DataWaits.WaitAsync(_look ??= LookForMessage, cancellationToken);

    /// <summary>Whether trying to take a message is promising now. A thorough look considers rare causes, too.</summary>
    internal bool LookForMessage(bool thorough = false)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return IsMessageThere() || (thorough && _cursor.HasLeases && (_leases.HasOrphan() || _store.Transactions.IsAbandoned()));
    }

    internal void WaitForMessage(CancellationToken cancellationToken) => WaitForMessage(Deadline.Never, cancellationToken);

    // Spins, then sleeps until something was enqueued or given back, or a moment is over. The caller looks again. False, without a wait,
    // where the deadline is over already.
    internal bool WaitForMessage(in Deadline deadline, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (deadline.IsOver)
        {
            return false;
        }
        if (!SpinForMessage(deadline))
        {
            DataSleep.Until(_store, _isMessageOrDamageThere ??= IsMessageOrDamageThere, deadline, cancellationToken);
        }
        return true;
    }

    bool ITakeable<T>.TryTake([NotNullWhen(true)] ref T? taken) => TryDequeue(ref taken);

    bool ITakeable<T>.Wait(in Deadline deadline, CancellationToken cancellationToken) => WaitForMessage(deadline, cancellationToken);

    // Before a sleep, checks that the log really ends where no message was found.
    private bool IsMessageOrDamageThere()
    {
        if (IsMessageThere())
        {
            return true;
        }
        _cursor.CompareWithTail();
        return false;
    }

    private bool SpinForMessage(in Deadline deadline)
    {
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < _spinDuration && !deadline.IsOver)
        {
            // Reading the clock costs as much as several looks, and the gate must be left now and then so that a Dispose gets in.
            using CallGate.Call call = _store.Gate.Enter();
            for (int look = 0; look < LooksPerRound; look++)
            {
                if (IsMessageThere())
                {
                    return true;
                }
                Thread.SpinWait(1);
            }
        }
        return false;
    }

    private bool IsMessageThere() =>
        _leases.HasReturned || (_alone is null ? _cursor.TryFind(out _) : !_leases.IsDelayed && _cursor.TryFind(out _));
}
