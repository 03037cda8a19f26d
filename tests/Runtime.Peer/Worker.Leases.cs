namespace BlitQueue.Peer;

internal sealed partial class Worker
{
    // Several leases at a time, committed together.
    private void LeaseBatches()
    {
        Subscription<Parcel> subscription = Subscribe();
        var leases = new Lease<Parcel>[_batch];
        Parcel? parcel = null;
        while (WaitForSome(subscription, leases) is > 0 and var count)
        {
            var names = new (int, long)[count];
            for (int i = 0; i < count; i++)
            {
                leases[i].ReadInto(ref parcel);
                _log.Leased(parcel!, leases[i].Attempt);
                names[i] = (parcel!.Producer, parcel.Number);
            }
            Rest();
            int[] attempts = [.. leases.Take(count).Select(static lease => lease.Attempt)];
            subscription.Commit(leases.AsSpan(0, count));
            _log.CommittedBatch(names, attempts);
        }
    }

    private int WaitForSome(Subscription<Parcel> subscription, Lease<Parcel>[] leases)
    {
        while (true)
        {
            Pause();
            bool ended = _inputEnded.IsCancellationRequested;
            _log.Begin();
            int count = subscription.TryReceive(leases);
            if (count > 0 || ended)
            {
                return count;
            }
            Thread.Sleep(1);
        }
    }

    // Several messages consumed in one step.
    private void ConsumeBatches()
    {
        var parcels = new Parcel?[_batch];
        while (true)
        {
            bool ended = _inputEnded.IsCancellationRequested;
            int count = Subscribe().TryDequeue(parcels);
            for (int i = 0; i < count; i++)
            {
                _log.Dequeued(parcels[i]!);
            }
            if (count == 0 && ended)
            {
                return;
            }
            if (count == 0)
            {
                Thread.Sleep(1);
            }
        }
    }

    // One message in five is given back, one in five set aside.
    private void Sort()
    {
        Subscription<Parcel> subscription = Subscribe();
        Parcel? parcel = null;
        var leases = new Lease<Parcel>[1];
        while (WaitForSome(subscription, leases) > 0)
        {
            Lease<Parcel> lease = leases[0];
            if (!TryRead(lease, ref parcel))
            {
                continue;
            }
            if (parcel!.Number % 5 != 4)
            {
                End(lease, parcel, abandon: parcel.Number % 5 == 3 && lease.Attempt == 1);
                continue;
            }
            TryEnd(lease, parcel, () => lease.DeadLetter($"number {parcel.Number}"), () => _log.Buried(parcel, lease.Attempt));
        }
    }

    private void Finish(Lease<Parcel> lease, ref Parcel? parcel, bool abandon)
    {
        if (TryRead(lease, ref parcel))
        {
            End(lease, parcel!, abandon);
        }
    }

    // Where leases have a time-out, some are slower than that.
    private void End(Lease<Parcel> lease, Parcel parcel, bool abandon)
    {
        if (_timeout > 0 && parcel.Number % 16 == 7 && lease.Attempt == 1)
        {
            Thread.Sleep((int)_timeout);
        }
        if (abandon)
        {
            TryEnd(
                lease, parcel, () => lease.Abandon(parcel.Number % 2 == 0 ? null : $"number {parcel.Number}"),
                () => _log.Abandoned(parcel, lease.Attempt));
        }
        else
        {
            TryEnd(lease, parcel, lease.Commit, () => _log.Committed(parcel, lease.Attempt));
        }
    }

    // False, and nothing is logged, where the lease's time was over before its message was read.
    private bool TryRead(Lease<Parcel> lease, ref Parcel? parcel)
    {
        try
        {
            lease.ReadInto(ref parcel);
        }
        catch (LeaseLostException) when (_mayLose)
        {
            return false;
        }
        _log.Leased(parcel!, lease.Attempt);
        return true;
    }

    private void TryEnd(Lease<Parcel> lease, Parcel parcel, Action end, Action log)
    {
        try
        {
            _log.Begin();
            end();
        }
        catch (LeaseLostException) when (_mayLose)
        {
            _log.Lost(parcel, lease.Attempt);
            return;
        }
        log();
    }

    private bool TryReceive(Subscription<Parcel> subscription, out Lease<Parcel> lease)
    {
        _log.Begin();
        return subscription.TryReceive(out lease);
    }

    private Subscription<Parcel> Subscribe() => _queue.Subscribe(
        arguments.Text("subscription", "default"),
        new SubscriptionOptions
        {
            MaxAttempts = int.MaxValue,
            VisibilityTimeout = _timeout > 0 ? TimeSpan.FromMilliseconds(_timeout) : null,
        });
}
