using BlitQueue.Bench.Queues;

namespace BlitQueue.Bench.Links;

/// <summary>One of several producers of a queue: its messages bear which.</summary>
internal readonly struct ContendingSender(string place, int index, QueueOptions options) : ISender
{
    private const int IndexShift = 48;

    private readonly Fixed8Ends _queue = new(place, options);

    public void Send(long number) => _queue.Send(number < 0 ? number : ((long)index << IndexShift) | number);

    /// <summary>Which producer sent what has this number.</summary>
    public static (int Index, long Number) Parts(long number) => ((int)(number >> IndexShift), number & ((1L << IndexShift) - 1));

    public void Dispose() => _queue.Dispose();
}
