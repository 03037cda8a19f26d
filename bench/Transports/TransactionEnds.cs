using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>A store of one queue, as one process has it open.</summary>
internal sealed class StoreEnd<T> : IDisposable where T : class, IBenchMessage<T>
{
    public StoreEnd(string place, Durability durability)
    {
        Store = MappedStore.Open(place, new QueueOptions { Durability = durability });
        Queue = Store.OpenQueue<T>("messages", new QueueOptions { Durability = durability });
        Subscription = Queue.Subscribe("default");
    }

    public MappedStore Store { get; }

    public MappedQueue<T> Queue { get; }

    public Subscription<T> Subscription { get; }

    public void Dispose()
    {
        Subscription.Dispose();
        Store.Dispose();
    }
}
