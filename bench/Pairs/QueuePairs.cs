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

/// <summary>A message into and out of each of many queues of this process, in turn; all are open all the time.</summary>
internal struct ManyQueuesPair(string path, int count) : IPair
{
    private readonly Fixed64Ends[] _queues = [.. Enumerable.Range(0, count).Select(index => new Fixed64Ends($"{path}/{index}"))];
    private int _next;

    public long Deliver(long number)
    {
        _next = _next + 1 == _queues.Length ? 0 : _next + 1;
        return _queues[_next].Deliver(number);
    }

    public readonly void Dispose() => Array.ForEach(_queues, static queue => queue.Dispose());
}
