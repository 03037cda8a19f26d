using System.Diagnostics;

namespace BlitQueue.Bench.Measuring;

/// <summary>
/// Notes when each batch of messages ended. The first batch shows what fresh memory costs, the median one what the rest costs
/// without the odd interruption.
/// </summary>
internal sealed class BatchClock(int batchSize, int expectedBatches = 1 << 16)
{
    // Roomy from the start: growing would be measured.
    private readonly List<long> _batches = new(expectedBatches);
    private long _last;

    public int BatchSize => batchSize;

    public void Start() => _last = Stopwatch.GetTimestamp();

    /// <summary>Ends a batch.</summary>
    public void Mark()
    {
        long now = Stopwatch.GetTimestamp();
        _batches.Add(now - _last);
        _last = now;
    }

    /// <summary>To be asked before <see cref="MedianNs"/>, which sorts. Null where no batch ended.</summary>
    public double? FirstNs => _batches.Count == 0 ? null : PerMessage(_batches[0]);

    public double MeanNs => _batches.Count == 0 ? 0 : _batches.Average(PerMessage);

    public double? MedianNs
    {
        get
        {
            if (_batches.Count == 0)
            {
                return null;
            }
            _batches.Sort();
            return PerMessage(_batches[_batches.Count / 2]);
        }
    }

    private double PerMessage(long ticks) => ticks * 1e9 / Stopwatch.Frequency / batchSize;
}

/// <summary>
/// The processors' time, of all threads of this process: what else the machine does is not in it, but what the garbage costs is.
/// </summary>
internal static class ProcessorClock
{
    /// <summary>What was spent so far, from some beginning.</summary>
    // Windows counts it in clock ticks, each longer than what is measured.
    public static TimeSpan Spent() => OperatingSystem.IsWindows() ? Stopwatch.GetElapsedTime(0) : Environment.CpuUsage.TotalTime;
}
