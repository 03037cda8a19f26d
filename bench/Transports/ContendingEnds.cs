using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>One of several producers of a queue: its messages bear which.</summary>
internal readonly struct ContendingSender(string path, int index, QueueOptions options) : ISender
{
    private const int IndexShift = 48;

    private readonly Fixed8Ends _queue = new(path, options);

    public void Send(long number) => _queue.Send(number < 0 ? number : Mark(index, number));

    /// <summary>The number, and which producer it is of.</summary>
    public static long Mark(int index, long number) => ((long)index << IndexShift) | number;

    /// <summary>Which producer sent what has this number.</summary>
    public static (int Index, long Number) Parts(long number) => ((int)(number >> IndexShift), number & ((1L << IndexShift) - 1));

    public void Dispose() => _queue.Dispose();
}

/// <summary>Receives from several producers: each one's messages are in order, and the end has come when the last one ends.</summary>
internal struct ContendingReceiver(string path, int producers, QueueOptions options) : IReceiver
{
    private readonly long[] _next = new long[producers];
    private Fixed8Ends _queue = new(path, options);
    private int _ended;
    private long _received;

    /// <returns>How many were received before.</returns>
    public long Receive()
    {
        long got;
        while ((got = _queue.Receive()) == Numbers.End)
        {
            if (++_ended == producers)
            {
                return Numbers.End;
            }
        }
        (int index, long number) = ContendingSender.Parts(got);
        Numbers.Expect(number, _next[index]++);
        return _received++;
    }

    public readonly void Dispose() => _queue.Dispose();
}

/// <summary>One of a crowd of producers. It says nothing at its end: how many consume is not its concern.</summary>
internal readonly struct CrowdSender(string path, int index, QueueOptions options) : ISender
{
    private readonly MappedQueue<Fixed8> _queue = CrowdQueue.Rent(path, options);
    private readonly Fixed8 _message = new();

    public void Send(long number)
    {
        if (number != Numbers.End)
        {
            _message.Number = ContendingSender.Mark(index, number);
            _queue.Enqueue(in _message);
        }
    }

    public void Dispose() => CrowdQueue.Return(path);
}

/// <summary>One of a crowd of consumers: of each producer it sees some messages, in order, and then one end, which is its own.</summary>
internal struct CrowdReceiver(string path, int producers, QueueOptions options) : IReceiver
{
    private readonly MappedQueue<Fixed8> _queue = CrowdQueue.Rent(path, options);
    private readonly long[] _next = new long[producers];
    private Fixed8? _message = new();
    private long _received;

    /// <returns>How many were received before.</returns>
    /// <exception cref="InvalidDataException">A message came twice, or behind a later one of the same producer.</exception>
    public long Receive()
    {
        _queue.Dequeue(ref _message);
        if (_message!.Number == Numbers.End)
        {
            return Numbers.End;
        }
        (int index, long number) = ContendingSender.Parts(_message.Number);
        if (number < _next[index])
        {
            Numbers.Expect(number, _next[index]);
        }
        _next[index] = number + 1;
        return _received++;
    }

    public readonly void Dispose() => CrowdQueue.Return(path);
}

/// <summary>A queue that all threads of a process share, opened by the first and closed by the last.</summary>
internal static class CrowdQueue
{
    private static readonly Dictionary<string, (MappedQueue<Fixed8> Queue, int Users)> Open = [];

    public static MappedQueue<Fixed8> Rent(string path, QueueOptions options)
    {
        lock (Open)
        {
            (MappedQueue<Fixed8> queue, int users) = Open.TryGetValue(path, out (MappedQueue<Fixed8> Queue, int Users) open)
                ? open : (MappedQueue<Fixed8>.Open(path, options), 0);
            Open[path] = (queue, users + 1);
            return queue;
        }
    }

    public static void Return(string path)
    {
        lock (Open)
        {
            (MappedQueue<Fixed8> queue, int users) = Open[path];
            if (users > 1)
            {
                Open[path] = (queue, users - 1);
                return;
            }
            Open.Remove(path);
            queue.Dispose();
        }
    }
}
