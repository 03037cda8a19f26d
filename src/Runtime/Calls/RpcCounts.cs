using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>What a handle counts.</summary>
internal sealed class RpcCounts
{
    private long _calls, _answers, _faults, _timeouts, _cancelled, _lost;

    public RpcLatencies Latencies { get; } = new();

    public void Begin() => MachineMemory.Increment(ref _calls);

    public void Answer() => MachineMemory.Increment(ref _answers);

    public void Fault() => MachineMemory.Increment(ref _faults);

    public void End(RpcOutcome outcome)
    {
        switch (outcome)
        {
            case RpcOutcome.TimedOut:
                MachineMemory.Increment(ref _timeouts);
                break;
            case RpcOutcome.Cancelled or RpcOutcome.Left or RpcOutcome.Disposed:
                MachineMemory.Increment(ref _cancelled);
                break;
            case RpcOutcome.Lost or RpcOutcome.NotTaken or RpcOutcome.Corrupt or RpcOutcome.NoMemory:
                MachineMemory.Increment(ref _lost);
                break;
        }
    }

    /// <param name="inFlight">How many calls are open.</param>
    public RpcStatistics Read(int inFlight) => new()
    {
        Calls = MachineMemory.Load(ref _calls),
        Answers = MachineMemory.Load(ref _answers),
        Faults = MachineMemory.Load(ref _faults),
        TimedOut = MachineMemory.Load(ref _timeouts),
        Cancelled = MachineMemory.Load(ref _cancelled),
        PeersLost = MachineMemory.Load(ref _lost),
        InFlight = inFlight,
        Median = Latencies.Quantile(0.5),
        Percentile99 = Latencies.Quantile(0.99),
        Percentile999 = Latencies.Quantile(0.999),
        Longest = Latencies.Quantile(1),
    };
}
