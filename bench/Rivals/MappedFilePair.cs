using BlitQueue.Bench.Measuring;
using MappedFileQueues;

namespace BlitQueue.Bench.Optional;

/// <summary>Produce, consume and commit of a queue of numbers.</summary>
internal readonly struct MappedFilePair(string place) : IPair
{
    private readonly MappedFileQueue<long> _queue = MappedFileQueue.Create<long>(
        new MappedFileQueueOptions { StorePath = Path.Combine(place, "queue"), SegmentSize = 512 << 20 });

    public long Pass(long number)
    {
        _queue.Producer.Produce(ref number);
        _queue.Consumer.Consume(out long received);
        _queue.Consumer.Commit();
        return received;
    }

    public void Dispose() => _queue.Dispose();
}
