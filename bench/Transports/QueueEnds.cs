using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Queues;

/// <summary>Both ends of a queue: messages are enqueued from one instance and dequeued into another.</summary>
/// <remarks>
/// Code that is generic over a class is compiled once for all classes: nothing of the queue is inlined into it, and it looks up at run time what code
/// with a type of its own knows. What is timed in nanoseconds is therefore written out for its message: <see cref="Fixed8Ends"/> and the others here.
/// </remarks>
internal struct QueueEnds<T>(string place, int size, QueueOptions? options = null) : ISender, IReceiver, IPair
    where T : class, IBenchMessage<T>
{
    private readonly MappedQueue<T> _queue = MappedQueue<T>.Open(place, options);
    private readonly T _sent = T.Create(size);
    private T? _received = T.Create(size);

    public readonly void Send(long number)
    {
        _sent.Stamp(number);
        _queue.Enqueue(in _sent);
    }

    public long Receive()
    {
        _queue.Dequeue(ref _received);
        return _received!.Check();
    }

    public long Pass(long number)
    {
        Send(number);
        return _queue.TryDequeue(ref _received) ? _received!.Check() : Numbers.End;
    }

    public readonly void Dispose() => _queue.Dispose();
}
