using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Queues;

/// <summary><see cref="QueueEnds{T}"/> of 1024 bytes, written out.</summary>
internal struct Fixed1024Ends(string place, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private readonly MappedQueue<Fixed1024> _queue = MappedQueue<Fixed1024>.Open(place, options);
    private readonly Fixed1024 _sent = Fixed1024.Create(0);
    private Fixed1024? _received = Fixed1024.Create(0);

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
