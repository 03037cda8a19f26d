using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>Enqueues into a queue that another process has open too.</summary>
internal readonly struct QueueSender<T>(string place, int size, QueueOptions options) : ISender where T : class, IBenchMessage<T>
{
    private readonly MappedQueue<T> _queue = MappedQueue<T>.Open(place, options);
    private readonly T _message = T.Create(size);

    public void Send(long number)
    {
        _message.Stamp(number);
        _queue.Enqueue(in _message);
    }

    public void Dispose() => _queue.Dispose();
}
