using System.Collections.Concurrent;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Pairs;

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

    public long Pass(long number)
    {
        Pattern.Stamp(_sent.Bytes, number);
        _queue.Enqueue(_sent);
        return _queue.TryDequeue(out _received) ? Pattern.Check(_received.Bytes) : Numbers.End;
    }

    public readonly void Dispose()
    {
    }
}
