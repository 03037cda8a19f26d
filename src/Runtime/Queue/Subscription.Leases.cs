using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    /// <summary>Takes the next message without consuming it, if there is one. Never waits.</summary>
    /// <param name="lease">The message; consumed by <see cref="Lease{T}.Commit"/>.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="QueueException">
    /// 2,047 messages of the subscription are leased already; or it was deleted, or another consumer has it for itself alone.
    /// </exception>
    /// <exception cref="InvalidOperationException">It is exclusive, and a lease is open: the next message comes after that.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryReceive(out Lease<T> lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return TryTake(out lease);
    }

    /// <summary>Takes the next message without consuming it, waiting until there is one.</summary>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The message; consumed by <see cref="Lease{T}.Commit"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="QueueException">
    /// 2,047 messages of the subscription are leased already; or it was deleted, or another consumer has it for itself alone.
    /// </exception>
    /// <exception cref="InvalidOperationException">It is exclusive, and a lease is open: the next message comes after that.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    public Lease<T> Receive(CancellationToken ct = default)
    {
        Lease<T> lease;
        while (!TryReceive(out lease))
        {
            WaitForMessage(ct);
        }
        return lease;
    }

    internal void Read(in HeldLease lease, ref T? message)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        _leases.Require(_leases.IsHeld(lease), lease);
        UnpackLeased(lease, ref message);
    }

    internal void Commit(in HeldLease lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        _leases.Require(_leases.TryCommit(lease), lease);
    }

    internal void Bury(in HeldLease lease, string reason) => Bury(lease, reason, lease.Attempt);

    private void Bury(in HeldLease lease, string reason, int attempts)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        _leases.Require(_leases.IsHeld(lease), lease);
        // Not unpacked: what cannot be is set aside for just that.
        DeadLetter<T> letter = DeadLetter<T>.Of(_cursor.Reader.Message(_cursor.Reader.At(lease.Position)), reason, new QueuePosition(lease.Position), attempts);
        DeadLetterQueue<T> letters = DeadLetters;
        _leases.Require(_leases.TryBeginBurial(lease), lease);
        try
        {
            letters.Add(letter, PropertiesOf(lease));
        }
        catch
        {
            _leases.CancelBurial(lease);
            throw;
        }
        _leases.EndBurial(lease);
    }

    internal void Abandon(in HeldLease lease, TimeSpan? delay)
    {
        if (TryAbandon(lease, delay))
        {
            return;
        }
        if (_store.Gate.IsClosed)
        {
            throw new InvalidOperationException("The lease has ended: the queue was disposed, which gives its leases back.");
        }
        using CallGate.Call call = _store.Gate.Enter();
        _leases.Require(false, lease);
    }

    // After the queue was disposed its leases are given back already.
    internal bool TryAbandon(in HeldLease lease, TimeSpan? delay = null)
    {
        if (_store.Gate.IsClosed)
        {
            return false;
        }
        using CallGate.Call call = _store.Gate.Enter();
        if (_alone is not null)
        {
            return TryAbandonAlone(lease, delay ?? _options.RetryDelay);
        }
        return _leases.TryAbandon(lease, LeaseTable<MachineMemory>.DueAfter(delay ?? _options.RetryDelay));
    }

    // What a dead process had committed to this queue is looked for where there seems to be nothing.
    private bool TryTake(out Lease<T> lease) => TryTakeOnce(out lease) || (_store.Transactions.TryComplete() && TryTakeOnce(out lease));

    private bool TryTakeOnce(out Lease<T> lease)
    {
        if (_alone is not null)
        {
            return TryTakeAlone(out lease);
        }
        Join();
        while (_leases.TryTake(out HeldLease held))
        {
            if (IsToBeDelivered(held))
            {
                lease = new Lease<T>(this, held);
                return true;
            }
        }
        lease = default;
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryDequeueBesideLeases(ref T? message, MessageProperties? properties)
    {
        if (_alone is not null)
        {
            return TryDequeueAlone(ref message, properties) || (_store.Transactions.TryComplete() && TryDequeueAlone(ref message, properties));
        }
        Join();
        return TryDequeueEarlier(ref message, properties)
            || TryDequeueNext(ref message, properties)
            || TryDequeueOrphan(ref message, properties);
    }

    // What comes before messages that were never delivered.
    private bool TryDequeueEarlier(ref T? message, MessageProperties? properties)
    {
        while (_leases.TryTakeEarlier(out HeldLease earlier))
        {
            if (IsToBeDelivered(earlier))
            {
                return Consume(earlier, ref message, properties);
            }
        }
        return false;
    }

    private bool TryDequeueOrphan(ref T? message, MessageProperties? properties) =>
        (_leases.TryTakeOrphan(out HeldLease orphan) && IsToBeDelivered(orphan) && Consume(orphan, ref message, properties))
        || (_store.Transactions.TryComplete() && TryDequeueNext(ref message, properties));

    private bool IsToBeDelivered(in HeldLease lease)
    {
        RequireDurable(lease);
        if (WasBuried(lease))
        {
            return false;
        }
        if (lease.Attempt <= _options.MaxAttempts)
        {
            return !EndIfExpired(lease);
        }
        BuryUndelivered(lease, $"It was delivered {lease.Attempt - 1} times and not committed.");
        return false;
    }

    // What a dead consumer was setting aside is consumed where its letter was written, else leased as before.
    private bool WasBuried(in HeldLease lease)
    {
        if (!lease.WasBeingBuried)
        {
            return false;
        }
        if (DeadLetters.Contains(new QueuePosition(lease.Position)))
        {
            _leases.EndBurial(lease);
            return true;
        }
        _leases.CancelBurial(lease);
        return false;
    }

    // Sets aside what was taken and not handed out: this time does not count.
    private void BuryUndelivered(in HeldLease lease, string reason)
    {
        try
        {
            Bury(lease, reason, lease.Attempt - 1);
        }
        catch
        {
            _leases.TryAbandon(lease);
            throw;
        }
    }

    private bool Consume(in HeldLease lease, ref T? message, MessageProperties? properties = null)
    {
        try
        {
            UnpackLeased(lease, ref message, properties);
        }
        catch
        {
            _leases.TryAbandon(lease);
            throw;
        }
        return _leases.TryCommit(lease);
    }

    private void UnpackLeased(in HeldLease lease, ref T? message, MessageProperties? properties = null)
    {
        FoundRecord found = _cursor.Reader.At(lease.Position);
        try
        {
            Unpack(found, ref message, properties);
        }
        catch (PackException exception)
        {
            throw Corrupt(found, exception);
        }
    }

    private bool SkipLeased(in HeldLease lease)
    {
        if (WasBuried(lease))
        {
            return false;
        }
        bool isDamaged = true;
        try
        {
            isDamaged = DamageOf(_cursor.Reader.At(lease.Position)) is not null;
        }
        catch (QueueCorruptException)
        {
        }
        if (!isDamaged)
        {
            _leases.TryGiveBackUnread(lease);
            return false;
        }
        return _leases.TryCommit(lease);
    }
}
