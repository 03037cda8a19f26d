using System.Runtime.ExceptionServices;
using BlitQueue.Log;

namespace BlitQueue;

/// <summary>The consumer side of one subscription of several lanes: always the most urgent lane's next message.</summary>
/// <typeparam name="T">The lanes' message type.</typeparam>
/// <remarks>
/// May be used from any thread. <see cref="MappedLanes{T}.Subscribe"/> gives it; it lives as long as its lanes. Leases are those of the
/// lane that the message is in, and are committed or given back there.
/// </remarks>
/// <example>
/// <code>
/// using LaneSubscription&lt;Order&gt; billing = lanes.Subscribe("billing");
/// using Lease&lt;Order&gt; lease = billing.Receive();
/// lease.ReadInto(ref order);
/// Bill(order!);
/// lease.Commit();
/// </code>
/// </example>
public sealed partial class LaneSubscription<T> : ITakeable<T>, ITakeable<Lease<T>>, IDisposable, IAsyncDisposable
    where T : IPackable<T>
{
    private readonly Subscription<T>[] _lanes;
    private readonly TimeSpan _spinDuration;
    private readonly QueueStore[] _stores;
    private readonly AsyncWaitQueue[] _waits;
    private readonly Func<bool> _isMessageThere;
    private readonly Func<bool, bool> _look;

    internal LaneSubscription(string name, Subscription<T>[] lanes, TimeSpan spinDuration)
    {
        Name = name;
        _lanes = lanes;
        _spinDuration = spinDuration;
        _stores = [.. lanes.Select(static lane => lane.Store)];
        _waits = [.. _stores.Select(static store => store.DataWaits)];
        _isMessageThere = IsMessageThere;
        _look = thorough => Array.Exists(_lanes, lane => lane.LookForMessage(thorough));
    }

    /// <summary>The subscription's name, the same in every lane.</summary>
    public string Name { get; }

    /// <summary>The subscription of one lane: to seek in it, for its dead letters, or to take from it alone.</summary>
    /// <param name="lane">0, the most urgent, and up.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such lane.</exception>
    public Subscription<T> this[int lane] => (uint)lane < (uint)_lanes.Length
        ? _lanes[lane]
        : throw new ArgumentOutOfRangeException(
            nameof(lane), lane, $"There are {_lanes.Length} lanes: 0 is the most urgent, {_lanes.Length - 1} the least.");

    /// <summary>Takes and consumes the next message, if any lane has one; as <see cref="Subscription{T}.TryDequeue(ref T)"/>.</summary>
    /// <param name="message">An instance to fill, or null to get a new one; its content may have changed where false is returned.</param>
    /// <returns>false when no lane has one.</returns>
    /// <inheritdoc cref="Subscription{T}.TryDequeue(ref T)" path="/exception"/>
    public bool TryDequeue([NotNullWhen(true)] ref T? message) =>
        TryTake(static (Subscription<T> lane, ref T? taken) => lane.TryDequeue(ref taken), ref message);

    /// <summary>
    /// Takes and consumes the next message with its properties; as <see cref="Subscription{T}.TryDequeue(ref T, MessageProperties)"/>.
    /// </summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="properties">Filled anew; empty when the message has none, or there is no message.</param>
    /// <returns>false when no lane has one.</returns>
    /// <inheritdoc cref="Subscription{T}.TryDequeue(ref T, MessageProperties)" path="/exception"/>
    public bool TryDequeue([NotNullWhen(true)] ref T? message, MessageProperties properties)
    {
        (T? Message, MessageProperties Properties) taken = (message, properties);
        bool isTaken = TryTake(
            static (Subscription<T> lane, ref (T? Message, MessageProperties Properties) both) =>
                lane.TryDequeue(ref both.Message, both.Properties),
            ref taken);
        message = taken.Message;
        return isTaken;
    }

    /// <summary>
    /// Takes the next message without consuming it, if any lane has one; as <see cref="Subscription{T}.TryReceive(out Lease{T})"/>.
    /// </summary>
    /// <param name="lease">The message; consumed by <see cref="Lease{T}.Commit"/>.</param>
    /// <returns>false when no lane has one.</returns>
    /// <inheritdoc cref="Subscription{T}.TryReceive(out Lease{T})" path="/exception"/>
    public bool TryReceive(out Lease<T> lease)
    {
        lease = default;
        return TryTake(static (Subscription<T> lane, ref Lease<T> taken) => lane.TryReceive(out taken), ref lease);
    }

    /// <summary>Takes and consumes the next message, waiting until some lane has one: spins, then sleeps in the kernel.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">A lane's next message is damaged; see <see cref="Subscription{T}.SkipCorrupt"/>.</exception>
    /// <exception cref="ObjectDisposedException">The lanes were disposed, possibly during the wait.</exception>
    public void Dequeue([NotNull] ref T? message, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryDequeue(ref message))
        {
            WaitForMessage(Deadline.Never, cancellationToken);
        }
    }

    /// <summary>Takes and consumes the next message into a new instance, waiting until some lane has one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A new instance, which is the caller's to keep.</returns>
    /// <inheritdoc cref="Dequeue(ref T, CancellationToken)"/>
    public T Dequeue(CancellationToken cancellationToken = default)
    {
        T? message = default;
        Dequeue(ref message, cancellationToken);
        return message;
    }

    /// <summary>Takes and consumes the next message, waiting for so long until some lane has one.</summary>
    /// <param name="message">An instance to fill, or null to get a new one; its content may have changed where false is returned.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>false when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="Dequeue(ref T, CancellationToken)"/>
    public bool Dequeue([NotNullWhen(true)] ref T? message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var deadline = new Deadline(timeout);
        return TryDequeue(ref message) || ((ITakeable<T>)this).TryTakeUntil(deadline, ref message, cancellationToken);
    }

    /// <summary>Takes the next message without consuming it, waiting until some lane has one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; consumed by <see cref="Lease{T}.Commit"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueException">2,047 messages of a lane's subscription are leased already.</exception>
    /// <exception cref="ObjectDisposedException">The lanes were disposed, possibly during the wait.</exception>
    public Lease<T> Receive(CancellationToken cancellationToken = default) => Receive(Timeout.InfiniteTimeSpan, cancellationToken)!.Value;

    /// <summary>Takes the next message without consuming it, waiting for so long until some lane has one.</summary>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, consumed by <see cref="Lease{T}.Commit"/>; null when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="Receive(CancellationToken)"/>
    public Lease<T>? Receive(TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var deadline = new Deadline(timeout);
        return TryReceive(out Lease<T> lease) || ((ITakeable<Lease<T>>)this).TryTakeUntil(deadline, ref lease, cancellationToken)
            ? lease
            : null;
    }

    /// <summary>Ends the use of this object. The subscription itself, its positions and its leases stay.</summary>
    public void Dispose() => Array.ForEach(_lanes, static lane => lane.Dispose());

    /// <summary>As <see cref="Dispose"/>, which waits for nothing.</summary>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    /// <summary>Takes and consumes the next message, waiting without a thread until some lane has one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, a new instance; completed already when there was one.</returns>
    /// <inheritdoc cref="Dequeue(CancellationToken)"/>
    [OverloadResolutionPriority(1)]
    public ValueTask<T> DequeueAsync(CancellationToken cancellationToken = default) => DequeueAsync(reuse: default, cancellationToken);

    /// <summary>Takes and consumes the next message into an instance, waiting without a thread until some lane has one.</summary>
    /// <param name="reuse">An instance to fill, or null to get a new one. It is the call's until its task ends.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; completed already when there was one.</returns>
    /// <inheritdoc cref="Dequeue(ref T, CancellationToken)"/>
    public async ValueTask<T> DequeueAsync(T? reuse, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryDequeue(ref reuse))
        {
            await AsyncWaitQueue.WaitAnyAsync(_waits, _look, cancellationToken).ConfigureAwait(false);
        }
        return reuse;
    }

    /// <summary>Takes and consumes the next message, waiting without a thread, and for so long, until some lane has one.</summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(TimeSpan, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> DequeueAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        DequeueAsync(reuse: default, timeout, cancellationToken);

    /// <summary>Takes and consumes the next message into an instance, waiting for so long until some lane has one.</summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(T, TimeSpan, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> DequeueAsync(T? reuse, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.MessageAsync(ending => DequeueAsync(reuse, ending), timeout, cancellationToken);

    /// <summary>Takes the next message without consuming it, waiting without a thread until some lane has one.</summary>
    /// <inheritdoc cref="Receive(CancellationToken)"/>
    public async ValueTask<Lease<T>> ReceiveAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Lease<T> lease;
        while (!TryReceive(out lease))
        {
            await AsyncWaitQueue.WaitAnyAsync(_waits, _look, cancellationToken).ConfigureAwait(false);
        }
        return lease;
    }

    /// <summary>Takes the next message without consuming it, waiting without a thread, and for so long, until some lane has one.</summary>
    /// <inheritdoc cref="Receive(TimeSpan, CancellationToken)"/>
    public ValueTask<Lease<T>?> ReceiveAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.LeaseAsync(ReceiveAsync, timeout, cancellationToken);

    /// <summary>
    /// Takes and consumes one message after the other, for <c>await foreach</c>; waits without a thread where there is none.
    /// </summary>
    /// <param name="cancellationToken">
    /// Ends the enumeration with <see cref="OperationCanceledException"/>; no message was taken then.
    /// </param>
    /// <returns>
    /// Messages without end, each a new instance. A message is taken when it is asked for, the most urgent one of that moment.
    /// </returns>
    /// <inheritdoc cref="Dequeue(CancellationToken)"/>
    public async IAsyncEnumerable<T> ReadAllAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (; ; )
        {
            yield return await DequeueAsync(cancellationToken).ConfigureAwait(false);
        }
    }

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

    private delegate bool Taking<TTaken>(Subscription<T> lane, ref TTaken taken)
        where TTaken : allows ref struct;

    // A lane that has no free lease, or whose messages wait for dead letters, does not stop the less urgent ones. If none of those has a
    // message, the caller is told what the most urgent lane waits for.
    private bool TryTake<TTaken>(Taking<TTaken> take, ref TTaken taken)
        where TTaken : allows ref struct
    {
        QueueException? obstacle = null;
        foreach (Subscription<T> lane in _lanes)
        {
            try
            {
                if (take(lane, ref taken))
                {
                    return true;
                }
            }
            catch (QueueException exception) when (exception.Reason == QueueError.TooManyLeases || exception.DelaysLetters)
            {
                obstacle ??= exception;
            }
        }
        if (obstacle is not null)
        {
            ExceptionDispatchInfo.Throw(obstacle);
        }
        return false;
    }

    // Spins, then sleeps on all lanes at once until something was enqueued or given back, or a moment is over. The caller looks again.
    // False, without a wait, where the deadline is over already.
    private bool WaitForMessage(in Deadline deadline, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (deadline.IsOver)
        {
            return false;
        }
        if (SpinForMessage(deadline))
        {
            return true;
        }
        using CancellationTokenRegistration wakeOnCancel = cancellationToken.UnsafeRegister(
            static state => ((QueueStore)state!).WakeDataSleepers(), _stores[0]);
        MultiQueueWait.Wait(
            _stores,
            cancellationToken.CanBeCanceled ? () => IsMessageThere() || cancellationToken.IsCancellationRequested : _isMessageThere,
            deadline.Left);
        cancellationToken.ThrowIfCancellationRequested();
        return true;
    }

    bool ITakeable<T>.TryTake([NotNullWhen(true)] ref T? taken) => TryDequeue(ref taken);

    bool ITakeable<T>.Wait(in Deadline deadline, CancellationToken cancellationToken) => WaitForMessage(deadline, cancellationToken);

    bool ITakeable<Lease<T>>.TryTake(ref Lease<T> taken) => TryReceive(out taken);

    bool ITakeable<Lease<T>>.Wait(in Deadline deadline, CancellationToken cancellationToken) => WaitForMessage(deadline, cancellationToken);

    private bool SpinForMessage(in Deadline deadline)
    {
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < _spinDuration && !deadline.IsOver)
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
