using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    /// <summary>Takes the next message without consuming it, if there is one. Never waits for a message.</summary>
    /// <param name="lease">The message; consumed by <see cref="Lease{T}.Commit"/>.</param>
    /// <returns>false when there is none.</returns>
    /// <remarks>
    /// A message that is to become a dead letter may make it wait for another process that opens the dead letters or appends one. If that
    /// process is stopped, the wait takes 50 ms or so, once a second; in an exclusive subscription, where nothing behind that message may
    /// be delivered, <see cref="QueueOptions.StallTimeout"/>. Both take longer where the system does not tell whether it runs
    /// (<see cref="QueueOptions.StallTimeout"/>). <see cref="Receive(TimeSpan, CancellationToken)"/> with
    /// <see cref="TimeSpan.Zero"/> does the same, and takes a token that ends that wait.
    /// </remarks>
    /// <exception cref="QueueCorruptException">
    /// The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.
    /// </exception>
    /// <exception cref="QueueException">
    /// 2,047 messages of the subscription are leased already; or it was deleted, or another consumer has it for itself alone.
    /// </exception>
    /// <exception cref="QueueFullException">
    /// Only messages are left that are to become dead letters, and the disk has no room for one. They are tried again once a second.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// Only such messages are left, and a process that does not run has delayed dead letters for
    /// <see cref="QueueOptions.StallTimeout"/>. They are tried again once a second.
    /// </exception>
    /// <exception cref="InvalidOperationException">It is exclusive, and a lease is open: the next message comes after that.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryReceive(out Lease<T> lease) => TryReceive(out lease, CancellationToken.None);

    // The token ends waits for another process that has to do with dead letters; it is no reason not to take a message that is there.
    private bool TryReceive(out Lease<T> lease, CancellationToken cancellationToken)
    {
        using CallGate.Call call = _store.Gate.Enter();
        DateTimeOffset began = QueueTracing.IsOn ? DateTimeOffset.UtcNow : default;
        bool isTaken = TryTake(out lease, cancellationToken);
        if (isTaken && QueueTracing.IsOn)
        {
            NoteReceived([lease], began);
        }
        return isTaken;
    }

    /// <summary>Takes the next message without consuming it, waiting until there is one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; consumed by <see cref="Lease{T}.Commit"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    /// <inheritdoc cref="TryReceive(out Lease{T})"/>
    public Lease<T> Receive(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Lease<T> lease;
        while (!TryReceive(out lease, cancellationToken))
        {
            WaitForMessage(cancellationToken);
        }
        return lease;
    }

    /// <summary>Takes the next message without consuming it, waiting for so long until there is one.</summary>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, consumed by <see cref="Lease{T}.Commit"/>; null when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="Receive(CancellationToken)"/>
    public Lease<T>? Receive(TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var deadline = new Deadline(timeout);
        Lease<T> lease;
        while (!TryReceive(out lease, cancellationToken))
        {
            if (!WaitForMessage(deadline, cancellationToken))
            {
                return null;
            }
        }
        return lease;
    }

    internal void Read(in LeaseToken lease, [NotNull] ref T? message)
    {
        using CallGate.Call call = _store.Gate.Enter();
        using Look look = LookAt(lease);
        UnpackLeased(lease, ref message);
    }

    private Look LookAt(in LeaseToken lease)
    {
        _cursor.ThrowIfGone();
        _leases.Require(_leases.IsHeld(lease), lease);
        return new Look(_leases, lease);
    }

    // If the lease is lost meanwhile, the bytes may be another message's: then the call throws for the loss, also instead of the reader's
    // exception.
    private readonly struct Look(LeaseTable<MachineMemory> leases, LeaseToken lease) : IDisposable
    {
        public void Dispose() => leases.Require(leases.WasHeld(lease), lease);
    }

    internal void Commit(in LeaseToken lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        _leases.Require(_leases.TryCommit(lease), lease);
    }

    internal void Renew(in LeaseToken lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        _leases.Require(_leases.TryRenew(lease), lease);
    }

    internal void Abandon(in LeaseToken lease, TimeSpan? delay, string? reason)
    {
        if (TryAbandon(lease, delay, reason))
        {
            return;
        }
        if (_store.Gate.IsClosed)
        {
            throw new InvalidOperationException(
                $"{_store.Files.Directory}: the lease of the message at {lease.Position}, of the subscription '{Name}', has ended: the "
                + "queue was disposed, which gives its leases back.");
        }
        using CallGate.Call call = _store.Gate.Enter();
        _leases.Require(false, lease);
    }

    // After the queue was disposed its leases are given back already.
    internal bool TryAbandon(in LeaseToken lease, TimeSpan? delay = null, string? reason = null)
    {
        if (_store.Gate.IsClosed)
        {
            return false;
        }
        using CallGate.Call call = _store.Gate.Enter();
        long due = _leases.DueAfter(delay ?? _options.RetryDelay);
        if (_alone is null)
        {
            return TryAbandon(lease, due, reason);
        }
        // No thread may look for the next message between the end of the lease and the mark that says so.
        lock (_alone)
        {
            return TryAbandon(lease, due, reason);
        }
    }

    private bool TryAbandon(in LeaseToken lease, long due, string? reason) => string.IsNullOrEmpty(reason)
        ? _leases.TryAbandon(lease, due)
        : _leases.TryAbandon(lease, due, held => _file.Reasons.Write(held.Cell, held.Position, reason));

    // If there seems to be no message, a dead process's commit to this queue is completed first.
    private bool TryTake(out Lease<T> lease, CancellationToken cancellationToken = default)
    {
        if (TryTakeOnce(out lease, cancellationToken)
            || (_store.Transactions.TryComplete() && TryTakeOnce(out lease, cancellationToken)))
        {
            return true;
        }
        ThrowIfPutOff();
        return false;
    }

    private bool TryTakeOnce(out Lease<T> lease, CancellationToken cancellationToken)
    {
        bool isTaken;
        LeaseToken held;
        if (_alone is null)
        {
            Join();
            isTaken = TryTakeDeliverable(out held, cancellationToken);
        }
        else
        {
            lock (_alone)
            {
                RequireNothingOpen();
                isTaken = TryTakeDeliverable(out held, cancellationToken);
                _open = isTaken && _options.Exclusive ? held : _open;
            }
        }
        lease = isTaken ? new Lease<T>(this, held) : default;
        if (isTaken)
        {
            _given.Add(1);
        }
        return isTaken;
    }

    private bool TryTakeDeliverable(out LeaseToken held, CancellationToken cancellationToken)
    {
        while (_alone is null ? _leases.TryTake(out held) : _leases.TryTakeInOrder(out held))
        {
            if (IsToBeDelivered(held, cancellationToken))
            {
                return true;
            }
        }
        return false;
    }

    internal bool IsToBeDelivered(in LeaseToken lease, CancellationToken cancellationToken = default)
    {
        try
        {
            if (WasDeadLettered(lease, cancellationToken))
            {
                return false;
            }
            // A first attempt comes from the log, whose reader knows the limit.
            if (lease.Attempt > 1)
            {
                MakeDurable(lease.Position);
            }
        }
        catch (QueueException obstacle) when (!_options.Exclusive && obstacle.DelaysLetters)
        {
            // The letters could not be opened: none of them can be written.
            PutOff(lease, obstacle, length: 0);
            return false;
        }
        catch when (!_leases.TryGiveBackUnread(lease))
        {
            // It is another consumer's by now, or a letter that was taken.
            return false;
        }
        if (lease.Attempt <= _options.MaxAttempts)
        {
            return !EndIfUndeliverable(lease, cancellationToken);
        }
        TryBuryUndelivered(
            lease,
            _file.Reasons.Read(lease.Cell, lease.Position) ?? $"It was delivered {lease.Attempt - 1} times and not committed.",
            cancellationToken);
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryDequeueBesideLeases([NotNullWhen(true)] ref T? message, MessageProperties? properties)
    {
        if (_alone is not null)
        {
            return TryDequeueAlone(ref message, properties);
        }
        Join();
        return TryDequeueEarlier(ref message, properties)
            || TryDequeueNext(ref message, properties)
            || TryDequeueEarlier(ref message, properties, isNothingElse: true);
    }

    // Takes what comes before messages that were never delivered. It looks for what dead consumers held now and then, and where nothing
    // else was found.
    private bool TryDequeueEarlier([NotNullWhen(true)] ref T? message, MessageProperties? properties, bool isNothingElse = false)
    {
        while (isNothingElse ? _leases.TryTakeOrphan(out LeaseToken earlier) : _leases.TryTakeEarlier(out earlier))
        {
            if (IsToBeDelivered(earlier) && Consume(earlier, ref message, properties))
            {
                return true;
            }
        }
        return false;
    }

    private bool Consume(in LeaseToken lease, [NotNullWhen(true)] ref T? message, MessageProperties? properties = null)
    {
        try
        {
            UnpackLeased(lease, ref message, properties);
        }
        catch (Exception exception) when (!TryGiveBackAfter(exception, lease))
        {
            return false;
        }
        return _leases.TryCommit(lease);
    }

    // Gives back a message whose delivery an exception prevented. If Dispose was the cause, no caller has seen the message, so this does
    // not count as a delivery.
    private bool TryGiveBackAfter(Exception exception, in LeaseToken lease) =>
        exception is ObjectDisposedException && _disposed.IsSet ? _leases.TryGiveBackUnread(lease) : _leases.TryAbandon(lease);

    private void UnpackLeased(in LeaseToken lease, [NotNull] ref T? message, MessageProperties? properties = null)
    {
        RecordRef found = default;
        try
        {
            found = _cursor.Reader.At(lease.Position);
            Unpack(found, ref message, properties);
        }
        catch (Exception exception) when (exception is PackException or QueueCorruptException)
        {
            QueueCorruptException damage = Corrupt(found, exception);
            throw _leases.WasHeld(lease) ? _cursor.Reader.Met(damage) : damage;
        }
    }

    private bool SkipLeased(in LeaseToken lease)
    {
        try
        {
            if (!WasDeadLettered(lease) && FindDamage(lease) is not null)
            {
                return _leases.TryCommit(lease);
            }
            _leases.TryGiveBackUnread(lease);
        }
        catch when (!_leases.TryGiveBackUnread(lease))
        {
        }
        return false;
    }

    private Action<LeaseToken>? _giveBack;

    internal QueueStore Store => _store;

    /// <summary>Takes and reads the next message for a transaction.</summary>
    internal bool TryReceive([NotNullWhen(true)] ref T? message, out TransactionInput input)
    {
        input = default;
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        DateTimeOffset began = QueueTracing.IsOn ? DateTimeOffset.UtcNow : default;
        while (TryTake(out Lease<T> lease))
        {
            try
            {
                using Look look = LookAt(lease.Held);
                UnpackLeased(lease.Held, ref message);
            }
            catch (LeaseLostException)
            {
                continue;
            }
            catch
            {
                TryAbandon(lease.Held);
                throw;
            }
            if (QueueTracing.IsOn)
            {
                NoteReceived([lease], began);
            }
            input = new TransactionInput(_store, _file, _leases, lease.Held, _giveBack ??= held => TryAbandon(held));
            return true;
        }
        return false;
    }
}
