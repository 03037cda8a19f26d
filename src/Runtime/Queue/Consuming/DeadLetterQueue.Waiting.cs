using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Waiting for letters.</content>
public sealed partial class DeadLetterQueue<T>
{
    private Func<bool, bool>? _look;
    private Func<bool>? _isLetterThere;

    /// <summary>Takes the next letter without consuming it, sleeping in the kernel until there is one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The letter; <see cref="DeadLetterLease{T}.Commit"/> or <see cref="DeadLetterLease{T}.Requeue"/> ends it.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no letter was taken.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    /// <inheritdoc cref="TryReceive"/>
    public DeadLetterLease<T> Receive(CancellationToken cancellationToken = default) =>
        Receive(Timeout.InfiniteTimeSpan, cancellationToken)!.Value;

    /// <summary>Takes the next letter without consuming it, waiting for so long until there is one.</summary>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The letter; null when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="Receive(CancellationToken)"/>
    public DeadLetterLease<T>? Receive(TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var deadline = new Deadline(timeout);
        return TryReceive(out DeadLetterLease<T> lease)
            || ((ITakeable<DeadLetterLease<T>>)this).TryTakeUntil(deadline, ref lease, cancellationToken)
                ? lease
                : null;
    }

    /// <summary>Takes the next letter without consuming it, waiting without a thread until there is one.</summary>
    /// <inheritdoc cref="Receive(CancellationToken)"/>
    public async ValueTask<DeadLetterLease<T>> ReceiveAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        DeadLetterLease<T> lease;
        while (!TryReceive(out lease))
        {
            await _store.DataWaits.WaitAsync(_look ??= Look, cancellationToken).ConfigureAwait(false);
        }
        return lease;
    }

    /// <summary>Takes the next letter without consuming it, waiting without a thread, and for so long, until there is one.</summary>
    /// <inheritdoc cref="Receive(TimeSpan, CancellationToken)"/>
    public ValueTask<DeadLetterLease<T>?> ReceiveAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.LeaseAsync(ReceiveAsync, timeout, cancellationToken);

    /// <summary>
    /// Takes one letter after the other without consuming it, for <c>await foreach</c>; waits without a thread where there is none.
    /// </summary>
    /// <returns>
    /// Leases without end. Each is disposed before the next letter is taken, and when the loop is left: a letter that the loop's body did
    /// not end is given back then.
    /// </returns>
    /// <inheritdoc cref="Receive(CancellationToken)"/>
    public async IAsyncEnumerable<DeadLetterLease<T>> ReceiveAllAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (; ; )
        {
            using DeadLetterLease<T> lease = await ReceiveAsync(cancellationToken).ConfigureAwait(false);
            yield return lease;
        }
    }

    private bool Look(bool thorough)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        return IsLetterThere() || (thorough && _cursor.HasLeases && _leases.HasOrphan());
    }

    private bool IsLetterThere() => _leases.HasReturned || _cursor.TryFind(out _);

    bool ITakeable<DeadLetterLease<T>>.TryTake(ref DeadLetterLease<T> taken) => TryReceive(out taken);

    bool ITakeable<DeadLetterLease<T>>.Wait(in Deadline deadline, CancellationToken cancellationToken) =>
        DataSleep.Until(_store, _isLetterThere ??= IsLetterOrDamageThere, deadline, cancellationToken);

    // Before a sleep, checks that the letters really end where none was found.
    private bool IsLetterOrDamageThere()
    {
        if (IsLetterThere())
        {
            return true;
        }
        _cursor.CompareWithTail();
        return false;
    }
}
