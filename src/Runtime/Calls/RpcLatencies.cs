using System.Diagnostics;
using System.Numerics;
using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>Counts of times: four ranges for each power of two of nanoseconds.</summary>
internal sealed class RpcLatencies
{
    private const int Parts = 4, PartBits = 2, Ranges = 40 * Parts;

    private readonly long[] _counts = new long[Ranges];

    /// <summary>Adds the time since a moment.</summary>
    /// <param name="began">A timestamp of <see cref="Stopwatch"/>.</param>
    public void AddSince(long began) =>
        MachineMemory.Increment(ref _counts[RangeOf((long)Stopwatch.GetElapsedTime(began).TotalNanoseconds)]);

    /// <summary>What a part of all times does not exceed; zero if there is none.</summary>
    /// <param name="part">0 to 1.</param>
    public TimeSpan Quantile(double part)
    {
        long all = _counts.Sum(), sum = 0;
        for (int range = 0; range < Ranges; range++)
        {
            sum += MachineMemory.Load(ref _counts[range]);
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
