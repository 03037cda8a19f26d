using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Queues;

namespace BlitQueue.Bench.Seeds;

/// <summary>Three bytes in and out: Interprocess' benchmark with a reused buffer.</summary>
internal struct TinyPair(string place) : IPair
{
    private const long Mask = (1 << 24) - 1;

    private TinyEnds _ends = new(place);

    // Three bytes hold the end of the number.
    public long Pass(long number) => _ends.Pass(number) == (number & Mask) ? number : Numbers.End;

    public readonly void Dispose() => _ends.Dispose();
}
