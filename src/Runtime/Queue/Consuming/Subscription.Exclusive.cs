using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    // Of a single consumer. Held while a message is taken, which comes in strict order, and while one is given back.
    private readonly Lock? _alone;

    // With one lease at a time: the last one.
    private LeaseToken? _open;
    private bool _joined;

    // What stands for this object among the consumers.
    private readonly object _seat;

    // An object that has left must not join again: no later call would remove it.
    private readonly Lock _seatSync = new();

    // Before a message is taken: this object is not disposed, and is one of the consumers.
    private void Join()
    {
        ThrowIfDisposed();
        if (!_joined)
        {
            lock (_seatSync)
            {
                ThrowIfDisposed();
                _file.Consumers.Join(_seat, _store.Self);
                _joined = true;
            }
        }
    }

    private void ClaimAlone()
    {
        _file.Consumers.Claim(_seat, _store.Self);
        _joined = true;
        // From now on every call asks for leases first, and there finds that the order is strict.
        MachineMemory.Store(ref _file.Leases, 1);
    }

    private void LeaveConsumers()
    {
        if (_alone is null)
        {
            lock (_seatSync)
            {
                _file.Consumers.Leave(_seat, _store.Self);
            }
            return;
        }
        lock (_alone)
        {
            if (_open is { } open)
            {
                _leases.TryAbandon(open);
            }
            _file.Consumers.Leave(_seat, _store.Self);
        }
    }

    private bool TryDequeueAlone([NotNullWhen(true)] ref T? message, MessageProperties? properties)
    {
        lock (_alone!)
        {
            RequireNothingOpen();
            bool isDelayed;
            while (_leases.TryTakeGivenBack(out LeaseToken held, out isDelayed))
            {
                if (IsToBeDelivered(held) && Consume(held, ref message, properties))
                {
                    return true;
                }
            }
            return !isDelayed && TryDequeueNext(ref message, properties);
        }
    }

    private int TryDequeueAlone(Span<T?> messages)
    {
        lock (_alone!)
        {
            int count = 0;
            try
            {
                while (count < messages.Length && TryDequeueAlone(ref messages[count], properties: null))
                {
                    count++;
                    if (!_leases.HasReturned)
                    {
                        return count + TryDequeueRun(messages[count..]);
                    }
                }
            }
            catch when (count > 0)
            {
                // As where the order is not strict: the next call meets the same again.
            }
            return count;
        }
    }

    private void RequireNothingOpen()
    {
        ThrowIfDisposed();
        if (_open is { } open && _leases.IsOpen(open))
        {
            throw new InvalidOperationException(
                $"{_store.Files.Directory}: the lease of the message at {open.Position} is open, and the subscription '{Name}' is "
                + "exclusive: messages come one after the other. Commit or abandon it first.");
        }
    }
}
