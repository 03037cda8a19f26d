using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;

namespace BlitQueue.Bench.Pairs;

/// <summary>Three bytes in and out: Interprocess' benchmark with a reused buffer.</summary>
internal struct TinyPair(string path) : IPair
{
    private const long Mask = (1 << 24) - 1;

    private TinyEnds _ends = new(path);

    // Three bytes hold the end of the number.
    public long Deliver(long number) => _ends.Deliver(number) == (number & Mask) ? number : Numbers.End;

    public readonly void Dispose() => _ends.Dispose();
}

/// <summary>A row in and out of SQLite.</summary>
internal readonly struct SqlitePair(string path, int size, bool durable) : IPair
{
    private readonly SqliteStore _store = new(path, size, durable);

    public long Deliver(long number)
    {
        _store.Append(number);
        return _store.Take() ?? Numbers.End;
    }

    public void Dispose() => _store.Dispose();
}
