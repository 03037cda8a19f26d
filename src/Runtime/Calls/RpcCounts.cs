namespace BlitQueue.Calls;

/// <summary>
/// What a handle counts. Each call is begun once and ended once, and what is in flight follows from both; so the numbers cannot drift
/// apart. The handle's lock guards it.
/// </summary>
internal sealed class RpcCounts
{
    private readonly long[] _ended = new long[(int)RpcEnd.Failed + 1];
    private readonly RpcLatencies _latencies = new();
    private long _begun;

    public void Begin() => _begun++;

    /// <summary>A call that was begun is none: its request could not be packed.</summary>
    public void Undo() => _begun--;

    /// <param name="how">How it ended.</param>
    /// <param name="time">How long it took.</param>
    public void End(RpcEnd how, TimeSpan time)
    {
        _ended[(int)how]++;
        if (how is RpcEnd.Answered or RpcEnd.Faulted)
        {
            _latencies.Add(time);
        }
    }

    public RpcStatistics Read() => new()
    {
        Calls = _begun,
        Answers = Ended(RpcEnd.Answered),
        Faults = Ended(RpcEnd.Faulted),
        TimedOut = Ended(RpcEnd.TimedOut),
        Cancelled = Ended(RpcEnd.Cancelled),
        PeersLost = Ended(RpcEnd.PeerLost),
        Failed = Ended(RpcEnd.Failed),
        InFlight = (int)(_begun - _ended.Sum()),
        Median = _latencies.Quantile(0.5),
        Percentile99 = _latencies.Quantile(0.99),
        Percentile999 = _latencies.Quantile(0.999),
        Longest = _latencies.Quantile(1),
    };

    private long Ended(RpcEnd how) => _ended[(int)how];
}
