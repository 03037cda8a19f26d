using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>Enqueues messages whose texts differ from one to the next, so that the receiver has to make them anew.</summary>
internal readonly struct VaryingSender<T>(string root, int size, QueueOptions options) : ISender where T : class, IBenchMessage<T>
{
    private const int Variants = 16;

    private readonly MappedQueue<T> _queue = MappedQueue<T>.Open(root, options);
    private readonly T[] _messages = [.. Enumerable.Range(0, Variants).Select(variant => T.Create(size, variant))];

    public void Send(long number)
    {
        T message = _messages[number & (Variants - 1)];
        T.Stamp(message, number);
        _queue.Enqueue(in message);
    }

    public void Dispose() => _queue.Dispose();
}

/// <summary>Has 64 messages in flight: waits for the oldest to be on the disk before it enqueues the next.</summary>
internal struct WindowSender<T>(string root, int size, QueueOptions options) : ISender where T : class, IBenchMessage<T>
{
    public const int InFlight = 64;

    private readonly MappedQueue<T> _queue = MappedQueue<T>.Open(root, options);
    private readonly Task[] _flying = [.. Enumerable.Repeat(Task.CompletedTask, InFlight)];
    private readonly T _message = T.Create(size);
    private int _oldest;

    public void Send(long number)
    {
        _flying[_oldest].GetAwaiter().GetResult();
        T.Stamp(_message, number);
        // Packed before it returns: the capacity is never reached.
        _flying[_oldest] = _queue.EnqueueAsync(_message).AsTask();
        _oldest = (_oldest + 1) % InFlight;
        if (number == Numbers.End)
        {
            Task.WaitAll(_flying);
        }
    }

    public readonly void Dispose() => _queue.Dispose();
}
