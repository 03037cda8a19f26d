using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Transports;

/// <summary>One of several producers of a queue: its messages bear which.</summary>
internal readonly struct ContendingSender(string path, int index, QueueOptions options) : ISender
{
    private const int IndexShift = 48;

    private readonly Fixed8Ends _queue = new(path, options);

    public void Send(long number) => _queue.Send(number < 0 ? number : ((long)index << IndexShift) | number);

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
