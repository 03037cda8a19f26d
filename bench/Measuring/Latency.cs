namespace BlitQueue.Bench.Measuring;

/// <summary>Of many durations those that so many per cent did not exceed, nanoseconds.</summary>
internal sealed record Latency(double P50, double P90, double P99, double P999, double P9999, double Max)
{
    public static Latency Of(LatencyHistogram histogram) => new(
        histogram.Percentile(50), histogram.Percentile(90), histogram.Percentile(99), histogram.Percentile(99.9), histogram.Percentile(99.99),
        histogram.Max);
}
