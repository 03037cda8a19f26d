using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Pairs;

/// <summary>A message in and out while the tool looks at the queue.</summary>
internal struct WatchedPair : IPair
{
    private readonly ToolProcess _tool;
    private Fixed64Ends _ends;

    /// <param name="path">Where the queue is made.</param>
    /// <param name="look">Starts the tool.</param>
    public WatchedPair(string path, Func<string, ToolProcess> look)
    {
        _ends = new Fixed64Ends(path);
        // So that there is something to look at.
        _ends.Deliver(0);
        _tool = look(path);
    }

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose()
    {
        _tool.Dispose();
        _ends.Dispose();
    }
}
