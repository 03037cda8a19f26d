using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>Dequeues into one and the same instance.</summary>
internal struct QueueReceiver<T>(string place, int size, QueueOptions options) : IReceiver where T : class, IBenchMessage<T>
{
    private readonly MappedQueue<T> _queue = MappedQueue<T>.Open(place, options);
    private T? _message = T.Create(size);

    public long Receive()
    {
        _queue.Dequeue(ref _message);
        return _message!.Check();
    }

    public readonly void Dispose() => _queue.Dispose();
}
