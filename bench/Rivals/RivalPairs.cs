using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using Cloudtoid.Interprocess;

namespace BlitQueue.Bench.Optional;

/// <summary>Publisher and subscriber of one process, 8 bytes, a reused buffer.</summary>
internal readonly struct InterprocessPair : IPair
{
    private const int Capacity = 65_536;

    private readonly IPublisher _publisher;
    private readonly ISubscriber _subscriber;
    private readonly byte[] _sent = new byte[sizeof(long)];
    private readonly byte[] _received = new byte[sizeof(long)];

    public InterprocessPair(string place)
    {
        var factory = new QueueFactory();
        var options = new Cloudtoid.Interprocess.QueueOptions("bench", place, Capacity);
        _publisher = factory.CreatePublisher(options);
        _subscriber = factory.CreateSubscriber(options);
    }

    public long Pass(long number)
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
