using BlitQueue.Bench.Measuring;
using Disruptor;

namespace BlitQueue.Bench.Optional;

/// <summary>A slot claimed, published, read and given back.</summary>
internal readonly struct DisruptorPair : IPair
{
    private const int Slots = 1 << 16;

    private readonly RingBuffer<long[]> _ring = RingBuffer<long[]>.CreateSingleProducer(static () => new long[1], Slots);
    private readonly Sequence _consumed = new();

    public DisruptorPair() => _ring.AddGatingSequences(_consumed);

    public long Pass(long number)
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
