using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Seeds;

/// <summary>Each order to many recipients, as subscriptions of one queue; then each of them receives all.</summary>
internal sealed class FanOutWork : ICountedWork
{
    public const int Recipients = 8;

    private readonly MappedQueue<Purchase> _queue;
    private readonly Subscription<Purchase>[] _recipients;
    private readonly Purchase _order = Purchase.Create(Transports.OrderLines);
    private readonly int _count;

    public FanOutWork(string place, int count)
    {
        _count = count;
        _queue = MappedQueue<Purchase>.Open(place, new QueueOptions { DefaultSubscription = false });
        _recipients = [.. Enumerable.Range(0, Recipients).Select(index => _queue.Subscribe($"recipient-{index}"))];
    }

    public void Run()
    {
        for (int number = 0; number < _count; number++)
        {
            _order.Stamp(number);
            _queue.Enqueue(in _order);
        }
        Purchase? received = Purchase.Create(Transports.OrderLines);
        foreach (Subscription<Purchase> recipient in _recipients)
        {
            for (int number = 0; number < _count; number++)
            {
                recipient.Dequeue(ref received);
                Numbers.Expect(received!.Check(), number);
            }
        }
    }

    public void Dispose()
    {
        Array.ForEach(_recipients, static recipient => recipient.Dispose());
        _queue.Dispose();
    }
}
