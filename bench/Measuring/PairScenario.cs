using System.Diagnostics;

namespace BlitQueue.Bench.Measuring;

/// <summary>One message in, the same message out, on one thread.</summary>
internal sealed class PairScenario<TPair>(string name, Role role, Func<string, TPair> open) : Scenario(name, role)
    where TPair : struct, IPair
{
    private const int BatchSize = 8192;

    public override Sample Measure(TimeSpan duration, string place)
    {
        TPair pair = open(place);
        try
        {
            return Run(ref pair, duration);
        }
        finally
        {
            pair.Dispose();
        }
    }

    private static Sample Run(ref TPair pair, TimeSpan duration)
    {
        var clock = new BatchClock(BatchSize);
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long started = Stopwatch.GetTimestamp();
        long number = 0;
        clock.Start();
        do
        {
            RunBatch(ref pair, ref number);
            clock.Mark();
        }
        while (Stopwatch.GetElapsedTime(started) < duration);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        return new Sample(
            number, elapsed.TotalNanoseconds / number, clock.FirstNs, clock.MedianNs, (double)allocated / number, AllocatedThere: null);
    }

    private static void RunBatch(ref TPair pair, ref long number)
    {
        for (int i = 0; i < BatchSize; i++)
        {
            long got = pair.Pass(number);
            Numbers.Expect(got, number);
            number++;
        }
    }
}
