using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Scenarios;
using Cloudtoid.Interprocess;
using Disruptor;
using MappedFileQueues;

namespace BlitQueue.Bench.Rivals;

/// <summary>Publisher and subscriber of one process, 8 bytes, a reused buffer.</summary>
internal readonly struct InterprocessPair : IPair
{
    private const int Capacity = 65_536;

    private readonly IPublisher _publisher;
    private readonly ISubscriber _subscriber;
    private readonly byte[] _sent = new byte[sizeof(long)];
    private readonly byte[] _received = new byte[sizeof(long)];

    public InterprocessPair(string path)
    {
        var factory = new QueueFactory();
        var options = new Cloudtoid.Interprocess.QueueOptions("bench", path, Capacity);
        _publisher = factory.CreatePublisher(options);
        _subscriber = factory.CreateSubscriber(options);
    }

    public long Deliver(long number)
    {
        Pattern.Stamp(_sent, number);
        return _publisher.TryEnqueue(_sent) && _subscriber.TryDequeue(_received, CancellationToken.None, out ReadOnlyMemory<byte> message)
            ? Pattern.Check(message.Span) : Numbers.End;
    }

    public void Dispose()
    {
        _publisher.Dispose();
        _subscriber.Dispose();
    }
}

/// <summary>Produce, consume and commit of a queue of numbers.</summary>
internal readonly struct MappedFilePair(string path) : IPair
{
    private readonly MappedFileQueue<long> _queue = MappedFileQueue.Create<long>(
        new MappedFileQueueOptions { StorePath = Path.Combine(path, "queue"), SegmentSize = 512 << 20 });

    public long Deliver(long number)
    {
        _queue.Producer.Produce(ref number);
        _queue.Consumer.Consume(out long received);
        _queue.Consumer.Commit();
        return received;
    }

    public void Dispose() => _queue.Dispose();
}

/// <summary>A slot claimed, published, read and given back.</summary>
internal readonly struct DisruptorPair : IPair
{
    private const int Slots = 1 << 16;

    private readonly RingBuffer<long[]> _ring = RingBuffer<long[]>.CreateSingleProducer(static () => new long[1], Slots);
    private readonly Sequence _consumed = new();

    public DisruptorPair() => _ring.AddGatingSequences(_consumed);

    public long Deliver(long number)
    {
        long sequence = _ring.Next();
        _ring[sequence][0] = number;
        _ring.Publish(sequence);
        long received = _ring[_consumed.Value + 1][0];
        _consumed.SetValue(sequence);
        return received;
    }

    public void Dispose()
    {
    }
}
