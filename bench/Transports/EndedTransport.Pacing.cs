using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Links;

internal sealed partial class EndedTransport<TSender, TReceiver>
{
    private static readonly double TicksPerNs = Stopwatch.Frequency / 1e9;

    private static LatencyResult RunPace(ref TSender sender, TimeSpan duration, int perSecond)
    {
        var histogram = new LatencyHistogram();
        long interval = Stopwatch.Frequency / perSecond, intended = Stopwatch.GetTimestamp();
        long ends = intended + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        while ((intended += interval) < ends)
        {
            while (Stopwatch.GetTimestamp() < intended)
            {
            }
            sender.Send(intended);
            histogram.Record(Since(intended));
        }
        sender.Send(Numbers.End);
        return new LatencyResult(histogram.Count, Latency.Of(histogram));
    }

    private static LatencyResult RunClock(ref TReceiver receiver)
    {
        var histogram = new LatencyHistogram();
        long last = 0;
        for (long intended; (intended = receiver.Receive()) != Numbers.End; last = intended)
        {
            histogram.Record(Since(intended));
            if (intended <= last)
            {
                throw new InvalidDataException("A message came twice, or behind a later one.");
            }
        }
        return new LatencyResult(histogram.Count, Latency.Of(histogram));
    }

    private static long Since(long intended) => (long)((Stopwatch.GetTimestamp() - intended) / TicksPerNs);
}
