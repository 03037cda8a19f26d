using System.Runtime.CompilerServices;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Scenarios;

namespace BlitQueue.Bench.Transports;

/// <summary>Both ends of a queue: messages are enqueued from one instance and dequeued into another.</summary>
/// <remarks>
/// Code that is generic over a class is compiled once for all classes: nothing of the queue is inlined into it, and it looks up at run
/// time what code with a type of its own knows. What is timed in nanoseconds is therefore measured through a struct that names its
/// message: <see cref="Fixed8Ends"/> and the others here. These methods are inlined into that struct's, and are then compiled for its
/// message.
/// </remarks>
internal struct QueueEnds<T>(string path, int size, QueueOptions? options = null) : ISender, IReceiver, IPair
    where T : class, IBenchMessage<T>
{
    private readonly MappedQueue<T> _queue = MappedQueue<T>.Open(path, options);
    private readonly T _sent = T.Create(size);
    private T? _received = T.Create(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Send(long number)
    {
        T.Stamp(_sent, number);
        _queue.Enqueue(in _sent);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Receive()
    {
        _queue.Dequeue(ref _received);
        return T.Check(_received!);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Deliver(long number)
    {
        Send(number);
        return _queue.TryDequeue(ref _received) ? T.Check(_received!) : Numbers.End;
    }

    public readonly void Dispose() => _queue.Dispose();
}

/// <summary>8 bytes.</summary>
internal struct Fixed8Ends(string path, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private QueueEnds<Fixed8> _ends = new(path, 8, options);

    public readonly void Send(long number) => _ends.Send(number);

    public long Receive() => _ends.Receive();

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose() => _ends.Dispose();
}

/// <summary>64 bytes.</summary>
internal struct Fixed64Ends(string path, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private QueueEnds<Fixed64> _ends = new(path, 64, options);

    public readonly void Send(long number) => _ends.Send(number);

    public long Receive() => _ends.Receive();

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose() => _ends.Dispose();
}

/// <summary>1024 bytes.</summary>
internal struct Fixed1024Ends(string path, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private QueueEnds<Fixed1024> _ends = new(path, 1024, options);

    public readonly void Send(long number) => _ends.Send(number);

    public long Receive() => _ends.Receive();

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose() => _ends.Dispose();
}

/// <summary>3 bytes.</summary>
internal struct TinyEnds(string path, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private QueueEnds<Tiny> _ends = new(path, 3, options);

    public readonly void Send(long number) => _ends.Send(number);

    public long Receive() => _ends.Receive();

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose() => _ends.Dispose();
}

/// <summary>Any number of bytes.</summary>
internal struct ByteEnds(string path, int size, QueueOptions? options = null) : ISender, IReceiver, IPair
{
    private QueueEnds<ByteMessage> _ends = new(path, size, options);

    public readonly void Send(long number) => _ends.Send(number);

    public long Receive() => _ends.Receive();

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose() => _ends.Dispose();
}

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
