using System.Collections.Concurrent;
using System.Threading.Channels;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Scenarios;

namespace BlitQueue.Bench.Pairs;

/// <summary>Write and read of an unbounded channel, the message as a value.</summary>
internal struct ChannelPair<TWords> : IPair where TWords : struct, IWords
{
    private readonly Channel<TWords> _channel;
    private TWords _sent;
    private TWords _received;

    public ChannelPair()
    {
        _channel = Channel.CreateUnbounded<TWords>(new UnboundedChannelOptions { SingleReader = true, SingleWriter = true });
        _sent = default;
        Pattern.Fill(_sent.Bytes);
    }

    public long Deliver(long number)
    {
        Pattern.Stamp(_sent.Bytes, number);
        _channel.Writer.TryWrite(_sent);
        return _channel.Reader.TryRead(out _received) ? Pattern.Check(_received.Bytes) : Numbers.End;
    }

    public readonly void Dispose()
    {
    }
}

/// <summary>Enqueue and TryDequeue of a <see cref="ConcurrentQueue{T}"/>, the message as a value.</summary>
internal struct ConcurrentQueuePair<TWords> : IPair where TWords : struct, IWords
{
    private readonly ConcurrentQueue<TWords> _queue = new();
    private TWords _sent;
    private TWords _received;

    public ConcurrentQueuePair()
    {
        _sent = default;
        Pattern.Fill(_sent.Bytes);
    }

    public long Deliver(long number)
    {
        Pattern.Stamp(_sent.Bytes, number);
        _queue.Enqueue(_sent);
        return _queue.TryDequeue(out _received) ? Pattern.Check(_received.Bytes) : Numbers.End;
    }

    public readonly void Dispose()
    {
    }
}
