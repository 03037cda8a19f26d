using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Scenarios;

namespace BlitQueue.Bench.Transports;

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

/// <summary><see cref="QueueEnds{T}"/> of 8 bytes, written out.</summary>
internal struct Fixed8Ends(string place, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private readonly MappedQueue<Fixed8> _queue = MappedQueue<Fixed8>.Open(place, options);
    private readonly Fixed8 _sent = Fixed8.Create(0);
    private Fixed8? _received = Fixed8.Create(0);

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

/// <summary><see cref="QueueEnds{T}"/> of 64 bytes, written out.</summary>
internal struct Fixed64Ends(string place, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private readonly MappedQueue<Fixed64> _queue = MappedQueue<Fixed64>.Open(place, options);
    private readonly Fixed64 _sent = Fixed64.Create(0);
    private Fixed64? _received = Fixed64.Create(0);

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
