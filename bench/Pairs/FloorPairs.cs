using System.Collections.Concurrent;
using System.Threading.Channels;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;

namespace BlitQueue.Bench.Pairs;

/// <summary>The same bytes copied once, from one array to another: what no queue can go below.</summary>
internal readonly struct CopyPair : IPair
{
    private readonly byte[] _sent;
    private readonly byte[] _received;

    public CopyPair(int size)
    {
        _sent = new byte[size];
        _received = new byte[size];
        Pattern.Fill(_sent);
    }

    public long Deliver(long number)
    {
        Pattern.Stamp(_sent, number);
        _sent.AsSpan().CopyTo(_received);
        return Pattern.Check(_received);
    }

    public void Dispose()
    {
    }
}

/// <summary>
/// The same bytes copied twice: from an array into a mapped file as long as the files that the queue goes round, and out of it.
/// </summary>
internal unsafe struct MappedCopyPair : IPair
{
    // Written, read, and passed.
    private const int Length = 3 * TransportList.LargeSegment;

    private readonly SharedBytes _shared;
    private readonly byte[] _sent;
    private readonly byte[] _received;
    private int _offset;

    public MappedCopyPair(string path, int size)
    {
        _shared = new SharedBytes(Path.Combine(path, "copied"), Length);
        _sent = new byte[size];
        _received = new byte[size];
        Pattern.Fill(_sent);
        // So that the first touch of a page is not in the figure.
        new Span<byte>(_shared.Start, Length).Clear();
    }

    public long Deliver(long number)
    {
        Pattern.Stamp(_sent, number);
        var slot = new Span<byte>(_shared.Start + _offset, _sent.Length);
        _sent.AsSpan().CopyTo(slot);
        slot.CopyTo(_received);
        _offset = _offset + (2 * _sent.Length) > Length ? 0 : _offset + _sent.Length;
        return Pattern.Check(_received);
    }

    public readonly void Dispose() => _shared.Dispose();
}

/// <summary>Two compare-exchanges on lines of their own: what appending under a turn and consuming among others ask for at least.</summary>
internal struct TwoExchangesPair() : IPair
{
    private const int Apart = 16;

    private readonly long[] _words = new long[3 * Apart];

    public readonly long Deliver(long number)
    {
        Interlocked.CompareExchange(ref _words[Apart], number + 1, number);
        Interlocked.CompareExchange(ref _words[2 * Apart], number + 1, number);
        return _words[2 * Apart] - 1;
    }

    public readonly void Dispose()
    {
    }
}

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
