using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>Enqueues messages whose texts differ from one to the next, so that the receiver has to make them anew.</summary>
internal readonly struct VaryingSender<T>(string place, int size, QueueOptions options) : ISender where T : class, IBenchMessage<T>
{
    private const int Variants = 16;

    private readonly MappedQueue<T> _queue = MappedQueue<T>.Open(place, options);
    private readonly T[] _messages = [.. Enumerable.Range(0, Variants).Select(variant => T.Create(size, variant))];

    public void Send(long number)
    {
        T message = _messages[number & (Variants - 1)];
        message.Stamp(number);
        _queue.Enqueue(in message);
    }

    public void Dispose() => _queue.Dispose();
}
