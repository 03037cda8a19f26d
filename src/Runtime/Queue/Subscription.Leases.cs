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
    /// <exception cref="QueueException">2,047 messages of the subscription are leased already.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryReceive(out Lease<T> lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
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

    /// <summary>Takes the next message without consuming it, waiting until there is one.</summary>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The message; consumed by <see cref="Lease{T}.Commit"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="QueueException">2,047 messages of the subscription are leased already.</exception>
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
        RequireHeld(_leases.IsHeld(lease));
        UnpackLeased(lease, ref message);
    }

    internal void Commit(in HeldLease lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        RequireHeld(_leases.TryCommit(lease));
    }

    internal void Bury(in HeldLease lease, string reason)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        RequireHeld(_leases.IsHeld(lease));
        T? message = default;
        UnpackLeased(lease, ref message);
        DeadLetterQueue<T> letters = DeadLetters;
        RequireHeld(_leases.TryBeginBurial(lease));
        try
        {
            letters.Add(DeadLetter<T>.Of(message!, reason, new QueuePosition(lease.Position), lease.Attempt));
        }
        catch
        {
            _leases.CancelBurial(lease);
            throw;
        }
        _leases.EndBurial(lease);
    }

    // After the queue was disposed its leases are given back already.
    internal bool TryAbandon(in HeldLease lease)
    {
        if (_store.Gate.IsClosed)
        {
            return false;
        }
        using CallGate.Call call = _store.Gate.Enter();
        return _leases.TryAbandon(lease);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryDequeueBesideLeases(ref T? message)
    {
        while (_leases.TryTakeEarlier(out HeldLease earlier))
        {
            if (IsToBeDelivered(earlier))
            {
                return Consume(earlier, ref message);
            }
        }
        return TryDequeueNext(ref message)
            || (_leases.TryTakeOrphan(out HeldLease orphan) && IsToBeDelivered(orphan) && Consume(orphan, ref message));
    }

    private bool IsToBeDelivered(in HeldLease lease)
    {
        if (lease.WasBeingBuried)
        {
            if (DeadLetters.Contains(new QueuePosition(lease.Position)))
            {
                _leases.EndBurial(lease);
                return false;
            }
            _leases.CancelBurial(lease);
        }
        if (lease.Attempt <= _options.MaxAttempts)
        {
            return true;
        }
        try
        {
            Bury(lease, $"It was delivered {lease.Attempt - 1} times and not committed.");
            return false;
        }
        catch
        {
            _leases.TryAbandon(lease);
            throw;
        }
    }

    private bool Consume(in HeldLease lease, ref T? message)
    {
        try
        {
            UnpackLeased(lease, ref message);
        }
        catch
        {
            _leases.TryAbandon(lease);
            throw;
        }
        return _leases.TryCommit(lease);
    }

    private void UnpackLeased(in HeldLease lease, ref T? message)
    {
        FoundRecord found = _cursor.Reader.At(lease.Position);
        try
        {
            Unpack(found, ref message);
        }
        catch (PackException exception)
        {
            throw Corrupt(found, exception);
        }
    }

    private bool SkipLeased(in HeldLease lease)
    {
        if (IsReadable(_cursor.Reader.At(lease.Position)))
        {
            _leases.TryAbandon(lease);
            return false;
        }
        return _leases.TryCommit(lease);
    }

    private static void RequireHeld(bool held)
    {
        if (!held)
        {
            throw new InvalidOperationException("The lease has ended: it was committed or given back already.");
        }
    }
}
