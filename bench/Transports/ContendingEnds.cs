using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Queues;

namespace BlitQueue.Bench.Links;

/// <summary>Receives from several producers: each one's messages are in order, and the end has come when the last one ends.</summary>
internal struct ContendingReceiver(string place, int producers, QueueOptions options) : IReceiver
{
    private readonly long[] _next = new long[producers];
    private Fixed8Ends _queue = new(place, options);
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
