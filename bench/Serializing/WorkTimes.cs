using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Serializing;

/// <summary>One work's nanoseconds, a figure for each round, and what it allocates.</summary>
internal sealed class WorkTimes(Work work)
{
    // Long enough for the clock, short enough that what disturbs one work of a round disturbs its neighbours too.
    private static readonly TimeSpan BatchTime = TimeSpan.FromMilliseconds(4);

    private static readonly TimeSpan JitTime = TimeSpan.FromSeconds(1);

    private int _times = 1;

    public Work Work => work;

    public List<double> Nanoseconds { get; } = [];

    public double Allocated { get; private set; }

    public double Median => Statistics.Median(Nanoseconds);

    /// <summary>Runs until the JIT has done its best, and finds out how often fills a batch.</summary>
    public void WarmUp()
    {
        // The JIT counts calls before it optimizes, does so on a thread of its own, and does it twice.
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < JitTime)
        {
            work.Repeat(16);
        }
        while (Once() < BatchTime)
        {
            _times *= 2;
        }
        long before = GC.GetAllocatedBytesForCurrentThread();
        work.Repeat(_times);
        Allocated = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)_times;
    }

    public void Round() => Nanoseconds.Add(Once().TotalNanoseconds / _times);

    /// <summary>The median of the rounds' ratios: what slows one round down slows both.</summary>
    public double RatioTo(WorkTimes other) => Statistics.Median(Nanoseconds.Zip(other.Nanoseconds, (mine, theirs) => mine / theirs));

    private TimeSpan Once()
    {
        long started = Stopwatch.GetTimestamp();
        work.Repeat(_times);
        return Stopwatch.GetElapsedTime(started);
    }
}
