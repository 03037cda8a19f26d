namespace BlitQueue.Calls;

/// <summary>Counts of times: four ranges for each power of two of nanoseconds. The handle's lock guards it.</summary>
internal sealed class RpcLatencies
{
    private const int Parts = 4, PartBits = 2, Ranges = 40 * Parts;

    private readonly long[] _counts = new long[Ranges];

    public void Add(TimeSpan time) => _counts[RangeOf((long)time.TotalNanoseconds)]++;

    /// <summary>What a part of all times does not exceed; zero if there is none.</summary>
    /// <param name="part">0 to 1.</param>
    public TimeSpan Quantile(double part)
    {
        long all = _counts.Sum(), sum = 0;
        for (int range = 0; range < Ranges; range++)
        {
            sum += _counts[range];
            if (all > 0 && sum >= part * all)
            {
                return TimeSpan.FromMicroseconds(EndOf(range) / 1e3);
            }
        }
        return TimeSpan.Zero;
    }

    private static int RangeOf(long nanoseconds)
    {
        if (nanoseconds < Parts)
        {
            return (int)Math.Max(0, nanoseconds);
        }
        int power = BitOperations.Log2((ulong)nanoseconds);
        return Math.Min(Ranges - 1, ((power - PartBits + 1) * Parts) + (int)((nanoseconds >> (power - PartBits)) & (Parts - 1)));
    }

    private static long EndOf(int range)
    {
        if (range < Parts)
        {
            return range;
        }
        int power = (range / Parts) + PartBits - 1;
        return (1L << power) + ((long)(range % Parts + 1) << (power - PartBits)) - 1;
    }
}
