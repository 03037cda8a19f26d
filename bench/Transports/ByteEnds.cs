using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Queues;

/// <summary><see cref="QueueEnds{T}"/> of any number of bytes, written out.</summary>
internal struct ByteEnds(string place, int size, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private readonly MappedQueue<ByteMessage> _queue = MappedQueue<ByteMessage>.Open(place, options);
    private readonly ByteMessage _sent = ByteMessage.Create(size);
    private ByteMessage? _received = ByteMessage.Create(size);

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
