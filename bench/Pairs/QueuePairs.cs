using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Pairs;

/// <summary>A row in and out of SQLite.</summary>
internal readonly struct SqlitePair(string place, int size, bool durable) : IPair
{
    private readonly SqliteStore _store = new(place, size, durable);

    public long Pass(long number)
    {
        _store.Append(number);
        return _store.Take() ?? Numbers.End;
    }

    public void Dispose() => _store.Dispose();
}
