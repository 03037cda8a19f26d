using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Serializing;

/// <summary>One work's nanoseconds, a figure for each round, and what it allocates.</summary>
internal sealed class WorkTimes(Work work)
{
    // Long enough for the clock, short enough that what disturbs one work of a round disturbs its neighbours too.
    private static readonly TimeSpan BatchTime = TimeSpan.FromMilliseconds(4);

    // What makes large objects spends nearly all of its time in collections, of which few would fall into so short a time.
    private static readonly TimeSpan LargeBatchTime = TimeSpan.FromMilliseconds(50);
    private const double LargeObject = 85_000;

    private static readonly TimeSpan JitTime = TimeSpan.FromSeconds(1);

    private const int WarmUpTimes = 16;

    private int _times = 1;

    public Work Work => work;

    public List<double> Nanoseconds { get; } = [];

    public double Allocated { get; private set; }

    /// <summary>How many collections there were in all rounds.</summary>
    public int Collections { get; private set; }

    public double Median => Statistics.Median(Nanoseconds);

    /// <summary>Repeats as often as another does: what the collector takes depends on what was allocated since the last time.</summary>
    public void RepeatAsOftenAs(WorkTimes other) => _times = other._times = Math.Max(_times, other._times);

    /// <summary>Runs until the JIT has done its best, and finds out how often fills a batch.</summary>
    public void WarmUp()
    {
        // The JIT counts calls before it optimizes, does so on a thread of its own, and does it twice.
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < JitTime)
        {
            work.Repeat(WarmUpTimes);
        }
        long before = GC.GetAllocatedBytesForCurrentThread();
        work.Repeat(WarmUpTimes);
        Allocated = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)WarmUpTimes;
        while (Once() < (Allocated < LargeObject ? BatchTime : LargeBatchTime))
        {
            _times *= 2;
        }
    }

    public void Round()
    {
        int before = GC.CollectionCount(0);
        Nanoseconds.Add(Once().TotalNanoseconds / _times);
        Collections += GC.CollectionCount(0) - before;
    }

    /// <summary>The median of the rounds' ratios: what slows one round down slows both.</summary>
    public double RatioTo(WorkTimes other) => Statistics.Median(Nanoseconds.Zip(other.Nanoseconds, (mine, theirs) => mine / theirs));

    private TimeSpan Once()
    {
        TimeSpan before = ProcessorClock.Spent();
        work.Repeat(_times);
        return ProcessorClock.Spent() - before;
    }
}
