using BlitQueue.Bench.Links;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Queues;

/// <summary>Enqueues 1024 bytes, as the queue's only producer.</summary>
internal readonly struct Fixed1024Sole : ISender
{
    private readonly MappedQueue<Fixed1024> _queue;
    private readonly SoleProducer<Fixed1024> _producer;
    private readonly Fixed1024 _message = Fixed1024.Create(0);

    public Fixed1024Sole(string place, QueueOptions options)
    {
        _queue = MappedQueue<Fixed1024>.Open(place, options);
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
