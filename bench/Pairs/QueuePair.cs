using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Pairs;

/// <summary>Enqueue and TryDequeue of a queue of this process alone, unpacked into the same instance.</summary>
internal struct QueuePair<T>(string place, int size) : IPair where T : class, IBenchMessage<T>
{
    private readonly MappedQueue<T> _queue = MappedQueue<T>.Open(place);
    private readonly T _sent = T.Create(size);
    private T? _received = T.Create(size);

    public long Pass(long number)
    {
        _sent.Stamp(number);
        _queue.Enqueue(in _sent);
        return _queue.TryDequeue(ref _received) ? _received!.Check() : Numbers.End;
    }

    public readonly void Dispose() => _queue.Dispose();
}
