using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    private static Func<long>? LimitOf(QueueStore store, SubscriptionOptions options)
    {
        if (!options.DurableOnly)
        {
            return null;
        }
        store.Sync.Log.AskForWakeUps();
        return () => store.Sync.Log.Durable;
    }

    private void RequireDurable(in HeldLease lease)
    {
        // A first attempt comes from the log, whose reader knows the limit.
        if (lease.Attempt == 1)
        {
            return;
        }
        try
        {
            MakeDurable(lease.Position);
        }
        catch
        {
            _leases.TryGiveBackUnread(lease);
            throw;
        }
    }

    // Another handle of this subscription, which takes what is not durable too, may have given the message back: then it is made durable now.
    private void MakeDurable(long position)
    {
        if (_options.DurableOnly && position >= _store.Sync.Log.Durable)
        {
            _store.Sync.Wait();
        }
    }
}
