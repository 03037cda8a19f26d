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
            for (int i = 0; i < count; i++)
            {
                leases[i].ReadInto(ref parcel);
                _log.Leased(parcel!, leases[i].Attempt);
            }
            Rest();
            (int, long)[] names = [.. leases.Take(count).Select(NameOf)];
            int[] attempts = [.. leases.Take(count).Select(static lease => lease.Attempt)];
            subscription.Commit(leases.AsSpan(0, count));
            _log.CommittedBatch(names, attempts);
        }
    }

    private static (int Producer, long Number) NameOf(Lease<Parcel> lease)
    {
        Parcel? parcel = null;
        lease.ReadInto(ref parcel);
        return (parcel!.Producer, parcel.Number);
    }

    private int WaitForSome(Subscription<Parcel> subscription, Lease<Parcel>[] leases)
    {
        for (;;)
        {
            Pause();
            bool ended = _inputEnded.IsCancellationRequested;
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
        for (;;)
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
            lease.ReadInto(ref parcel);
            if (parcel!.Number % 5 != 4)
            {
                Finish(lease, ref parcel, abandon: parcel.Number % 5 == 3 && lease.Attempt == 1);
                continue;
            }
            _log.Leased(parcel, lease.Attempt);
            lease.DeadLetter($"number {parcel.Number}");
            _log.Buried(parcel, lease.Attempt);
        }
    }

    private Subscription<Parcel> Subscribe() =>
        _queue.Subscribe(arguments.Text("subscription", "default"), new SubscriptionOptions { MaxAttempts = int.MaxValue });
}
