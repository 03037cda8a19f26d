using BlitQueue.Bench.Links;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Queues;

/// <summary>Enqueues 8 bytes, as the queue's only producer.</summary>
internal readonly struct Fixed8Sole : ISender
{
    private readonly MappedQueue<Fixed8> _queue;
    private readonly SoleProducer<Fixed8> _producer;
    private readonly Fixed8 _message = Fixed8.Create(0);

    public Fixed8Sole(string place, QueueOptions options)
    {
        _queue = MappedQueue<Fixed8>.Open(place, options);
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
