using System.Numerics;

namespace BlitQueue.Bench.Measuring;

/// <summary>
/// Counts of durations in nanoseconds, in buckets no wider than 1/128 of their value: below 256 ns each has a bucket of its own. Recording
/// allocates nothing and takes the same time for every value, so it may stand in the loop that is measured. Not for several threads.
/// </summary>
/// <remarks>
/// What was late to start must be recorded from the time at which it was intended, or whole stalls count as one sample (coordinated
/// omission). Where there are no intended times, <see cref="RecordCorrected"/> fills in what would have been seen.
/// </remarks>
internal sealed class LatencyHistogram
{
    // Of each power of two; the first two powers of this many values are exact.
    private const int SubBuckets = 128, SubBucketBits = 7;

    // A non-negative long has 63 bits; those above the sub-buckets choose the power.
    private readonly long[] _counts = new long[(63 - SubBucketBits + 1) * SubBuckets];

    /// <summary>How many were recorded.</summary>
    public long Count { get; private set; }

    /// <summary>The longest, exact; 0 where there is none.</summary>
    public long Max { get; private set; }

    /// <param name="nanoseconds">Negative counts as 0: two processors' clocks may differ by a few.</param>
    public void Record(long nanoseconds)
    {
        nanoseconds = Math.Max(nanoseconds, 0);
        _counts[IndexOf(nanoseconds)]++;
        Count++;
        Max = Math.Max(Max, nanoseconds);
    }

    /// <summary>
    /// Records a duration and, where it is longer than the interval at which calls were meant to come, those that the calls behind it
    /// would have seen.
    /// </summary>
    /// <param name="nanoseconds">How long the call took.</param>
    /// <param name="interval">Nanoseconds from call to call, above 0.</param>
    public void RecordCorrected(long nanoseconds, long interval)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(interval, 1);
        Record(nanoseconds);
        for (long missed = nanoseconds - interval; missed >= interval; missed -= interval)
        {
            Record(missed);
        }
    }

    /// <summary>Takes in another's counts.</summary>
    public void Add(LatencyHistogram other)
    {
        for (int i = 0; i < _counts.Length; i++)
        {
            _counts[i] += other._counts[i];
        }
        Count += other.Count;
        Max = Math.Max(Max, other.Max);
    }

    /// <summary>The duration that so many per cent did not exceed: the upper end of its bucket, never above <see cref="Max"/>.</summary>
    /// <param name="percent">0 to 100.</param>
    /// <returns>Nanoseconds; 0 where nothing was recorded.</returns>
    public long Percentile(double percent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percent);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percent, 100);
        // Rounded against the error of the product: 99.9 % of 1000 is number 999.
        long wanted = Math.Max(1, (long)Math.Ceiling((percent / 100 * Count) - 1e-6)), seen = 0;
        for (int i = 0; i < _counts.Length; i++)
        {
            seen += _counts[i];
            if (seen >= wanted)
            {
                return Math.Min(UpperEndOf(i), Max);
            }
        }
        return 0;
    }

    private static int IndexOf(long value)
    {
        // How far the value must be shifted for its highest bit to be the sub-buckets' own.
        int power = Math.Max(0, 63 - BitOperations.LeadingZeroCount((ulong)value) - SubBucketBits);
        return (power * SubBuckets) + (int)(value >> power);
    }

    private static long UpperEndOf(int index)
    {
        int power = Math.Max(0, (index / SubBuckets) - 1);
        return ((index - (power * SubBuckets) + 1L) << power) - 1;
    }
}

/// <summary>Of many durations those that so many per cent did not exceed, nanoseconds.</summary>
internal sealed record Latency(double P50, double P90, double P99, double P999, double P9999, double Max)
{
    public static Latency Of(LatencyHistogram histogram) => new(
        histogram.Percentile(50), histogram.Percentile(90), histogram.Percentile(99), histogram.Percentile(99.9),
        histogram.Percentile(99.99),
        histogram.Max);
}
