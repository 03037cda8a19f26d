using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Queues;

/// <summary><see cref="QueueEnds{T}"/> of 3 bytes, written out.</summary>
internal struct TinyEnds(string place, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private readonly MappedQueue<Tiny> _queue = MappedQueue<Tiny>.Open(place, options);
    private readonly Tiny _sent = Tiny.Create(0);
    private Tiny? _received = Tiny.Create(0);

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
