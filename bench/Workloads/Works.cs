using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;

namespace BlitQueue.Bench.Workloads;

/// <summary>Each order to many recipients, as subscriptions of one queue; then each of them receives all.</summary>
internal sealed class FanOutWork : ICountedWork
{
    public const int Recipients = 8;

    private readonly MappedQueue<Purchase> _queue;
    private readonly Subscription<Purchase>[] _recipients;
    private readonly Purchase _order = Purchase.Create(TransportList.OrderLines);
    private readonly int _count;

    public FanOutWork(string path, int count)
    {
        _count = count;
        _queue = MappedQueue<Purchase>.Open(path, new QueueOptions { CreateDefaultSubscription = false });
        _recipients = [.. Enumerable.Range(0, Recipients).Select(index => _queue.Subscribe($"recipient-{index}"))];
    }

    public void Run()
    {
        for (int number = 0; number < _count; number++)
        {
            Purchase.Stamp(_order, number);
            _queue.Enqueue(in _order);
        }
        var received = Purchase.Create(TransportList.OrderLines);
        foreach (Subscription<Purchase> recipient in _recipients)
        {
            for (int number = 0; number < _count; number++)
            {
                recipient.Dequeue(ref received);
                Numbers.Expect(Purchase.Check(received!), number);
            }
        }
    }

    public void Dispose()
    {
        Array.ForEach(_recipients, static recipient => recipient.Dispose());
        _queue.Dispose();
    }
}

/// <summary>Each order to many queues at once, 64 orders in a transaction; then all queues are read.</summary>
internal sealed class DistributionWork : ICountedWork
{
    private const int Batch = 64;

    private readonly MappedStore _store;
    private readonly MappedQueue<Purchase>[] _queues;
    private readonly Purchase _order = Purchase.Create(TransportList.OrderLines);
    private readonly int _count;

    public DistributionWork(string path, int count)
    {
        _count = count;
        _store = MappedStore.Open(path);
        _queues = [.. Enumerable.Range(0, FanOutWork.Recipients).Select(index => _store.OpenQueue<Purchase>($"recipient-{index}"))];
    }

    public void Run()
    {
        for (int number = 0; number < _count;)
        {
            using QueueTransaction transaction = _store.Begin();
            for (int i = 0; i < Batch && number < _count; i++)
            {
                Purchase.Stamp(_order, number++);
                transaction.EnqueueToAll(in _order, _queues);
            }
            transaction.Commit();
        }
        var received = Purchase.Create(TransportList.OrderLines);
        foreach (MappedQueue<Purchase> queue in _queues)
        {
            for (int number = 0; number < _count; number++)
            {
                queue.Dequeue(ref received);
                Numbers.Expect(Purchase.Check(received!), number);
            }
        }
    }

    public void Dispose() => _store.Dispose();
}

/// <summary>Sends so many messages; nobody receives.</summary>
internal sealed class SendWork<TSender>(TSender sender, int count) : ICountedWork where TSender : struct, ISender
{
    private TSender _sender = sender;

    public void Run()
    {
        for (int number = 0; number < count; number++)
        {
            _sender.Send(number);
        }
        // Ends what a sender may have begun.
        _sender.Send(Numbers.End);
    }

    public void Dispose() => _sender.Dispose();
}

/// <summary>Receives what was sent before.</summary>
internal sealed class ReceiveWork<TSender, TReceiver> : ICountedWork where TSender : struct, ISender where TReceiver : struct, IReceiver
{
    private readonly int _count;
    private TReceiver _receiver;

    public ReceiveWork(TSender sender, TReceiver receiver, int count)
    {
        _receiver = receiver;
        _count = count;
        using var sending = new SendWork<TSender>(sender, count);
        sending.Run();
    }

    public void Run()
    {
        for (int number = 0; number < _count; number++)
        {
            Numbers.Expect(_receiver.Receive(), number);
        }
        Numbers.Expect(_receiver.Receive(), Numbers.End);
    }

    public void Dispose() => _receiver.Dispose();
}
