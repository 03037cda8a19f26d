using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Seeds;

/// <summary>Each order to many queues at once, 64 orders in a transaction; then all queues are read.</summary>
internal sealed class DistributionWork : ICountedWork
{
    private const int Batch = 64;

    private readonly MappedStore _store;
    private readonly MappedQueue<Purchase>[] _queues;
    private readonly Purchase _order = Purchase.Create(Transports.OrderLines);
    private readonly int _count;

    public DistributionWork(string place, int count)
    {
        _count = count;
        _store = MappedStore.Open(place);
        _queues = [.. Enumerable.Range(0, FanOutWork.Recipients).Select(index => _store.OpenQueue<Purchase>($"recipient-{index}"))];
    }

    public void Run()
    {
        for (int number = 0; number < _count;)
        {
            using QueueTransaction transaction = _store.Begin();
            for (int i = 0; i < Batch && number < _count; i++)
            {
                _order.Stamp(number++);
                transaction.EnqueueToAll(in _order, _queues);
            }
            transaction.Commit();
        }
        Purchase? received = Purchase.Create(Transports.OrderLines);
        foreach (MappedQueue<Purchase> queue in _queues)
        {
            for (int number = 0; number < _count; number++)
            {
                queue.Dequeue(ref received);
                Numbers.Expect(received!.Check(), number);
            }
        }
    }

    public void Dispose() => _store.Dispose();
}
