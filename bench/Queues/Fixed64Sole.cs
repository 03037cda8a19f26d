using BlitQueue.Bench.Links;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Queues;

/// <summary>Enqueues 64 bytes, as the queue's only producer.</summary>
internal readonly struct Fixed64Sole : ISender
{
    private readonly MappedQueue<Fixed64> _queue;
    private readonly SoleProducer<Fixed64> _producer;
    private readonly Fixed64 _message = Fixed64.Create(0);

    public Fixed64Sole(string place, QueueOptions options)
    {
        _queue = MappedQueue<Fixed64>.Open(place, options);
        _producer = _queue.OpenSoleProducer();
    }

    public void Send(long number)
    {
        _message.Stamp(number);
        _producer.Enqueue(in _message);
    }

    public void Dispose()
    {
        _producer.Dispose();
        _queue.Dispose();
    }
}
